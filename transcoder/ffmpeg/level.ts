import type { Level } from '../model/steps.ts';
import { loudnessMeter } from './loudness-meter.ts';

/** Limit for true peaks in dB, measured with 4× oversampling as ITU-R BS.1770 defines. */
export const PEAK_DB = -1.5;
/** Extra margin of the limiter, for peaks that downsampling and encoding add. */
const HEADROOM_DB = 0.2;
const OVERSAMPLED = 192_000;

type Raw = Pick<Level, 'sampleRate' | 'channels'>;

const rawInput = (file: string, { sampleRate, channels }: Raw) => [
  ...['-hide_banner', '-nostdin', '-nostats', '-progress', 'pipe:1', '-y'],
  ...['-f', 'f32le', '-ar', `${sampleRate}`, '-ac', `${channels}`, '-i', `file:${file}`],
];

/** EBU R 128 loudness of raw sound; the summary is at the end of stderr. */
export function rawLoudnessArguments(file: string, raw: Raw): string[] {
  return [...rawInput(file, raw), '-v', 'info', '-af', loudnessMeter, '-f', 'null', '-'];
}

/** Applies a gain without changing the number of samples. `limited` also limits true peaks. */
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
