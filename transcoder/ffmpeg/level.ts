import type { Level } from '../model/steps.ts';
import { loudnessMeter } from './loudness-meter.ts';

/** True peaks stay below this, in dB; measured at four times the rate, which is what a true peak is. */
export const PEAK_DB = -1.5;
/** What the limiter keeps below it for what decimation and an encoder add. */
const HEADROOM_DB = 0.2;
const OVERSAMPLED = 192_000;

type Raw = Pick<Level, 'sampleRate' | 'channels'>;

const rawInput = (file: string, { sampleRate, channels }: Raw) => [
  ...['-hide_banner', '-nostdin', '-nostats', '-progress', 'pipe:1', '-y'],
  ...['-f', 'f32le', '-ar', `${sampleRate}`, '-ac', `${channels}`, '-i', `file:${file}`],
];

/** Loudness of raw sound as EBU R 128 sees it; the figures are at the end of stderr. */
export function rawLoudnessArguments(file: string, raw: Raw): string[] {
  return [...rawInput(file, raw), '-v', 'info', '-af', loudnessMeter, '-f', 'null', '-'];
}

/** The same sound louder by so many decibels, sample for sample; `limited` keeps its peaks down. */
export function gainArguments(level: Level, gainDb: number, limited: boolean): string[] {
  const { sampleRate, channels, samples } = level;
  const limit = 10 ** ((PEAK_DB - HEADROOM_DB) / 20);
  const chain = [
    `volume=${gainDb.toFixed(3)}dB`,
    ...(limited
      ? [
          `aresample=${OVERSAMPLED}`,
          `alimiter=limit=${limit.toFixed(6)}:attack=5:release=50:level=0:latency=1`,
          `aresample=${sampleRate}`,
        ]
      : []),
    `apad=whole_len=${samples}`,
    `atrim=end_sample=${samples}`,
  ];
  const out = ['-c:a', 'pcm_f32le', '-f', 'f32le', `file:${level.file}`];
  return [...rawInput(level.from, { sampleRate, channels }), '-v', 'error', '-af', chain.join(','), ...out];
}
