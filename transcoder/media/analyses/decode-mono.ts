import { open } from 'node:fs/promises';
import { channelMeter, parseChannelLevels } from '../../ffmpeg/channel-levels.ts';
import { meterArguments } from '../../ffmpeg/inspect.ts';
import { run } from '../../ffmpeg/run.ts';
import { greatest } from '../../model/numbers/min-max.ts';
import type { AudioStream } from '../../model/source/media-probe.ts';
import type { MediaSource } from '../../model/source/media-source.ts';
import { channelsRead, mixedTo, readableSound } from '../../model/source/sound-times.ts';
import type { Filter } from '../../model/steps.ts';
import type { MediaContext } from '../execute/media-context.ts';

const STALL_SECONDS = 60;
/** Channels of a louder mix, in dBFS, are not measured: it is rarely the rest of ones that cancel each other. */
const QUIET = -30;
/** Channels cancel each other if their mix is this many dB below the louder one. */
const CANCELED = 20;

interface Mono {
  /** Null if nothing is known of the channels. */
  audio: AudioStream | null;
  source: MediaSource;
  /** The file that is decoded to, and its samples. */
  to: string;
  samples: typeof Float32Array | typeof Int16Array;
  signal: AbortSignal | undefined;
}

/**
 * Decodes a sound to one channel: the mix or, where two channels cancel each other, the louder one. A balanced microphone in a stereo
 * jack has channels of opposite polarity.
 * @param decode Writes the mix of what these filters leave.
 */
export async function decodeMono(
  { programs }: MediaContext,
  { audio, source, to, samples, signal }: Mono,
  decode: (chosen: readonly Filter[]) => Promise<void>,
): Promise<void> {
  await decode([]);
  if (!audio || channelsRead(audio) !== 2) return;
  const mix = await levelOf(to, samples);
  if (mix > QUIET) return;
  const file = await source.whole();
  const before = [...readableSound(audio), mixedTo('stereo')];
  const { stderrTail } = await run(
    programs,
    'ffmpeg',
    meterArguments(file, audio.index, before, { meter: channelMeter }),
    { reads: [file.path], signal, stallSeconds: STALL_SECONDS, onProgress: () => {} },
  );
  const levels = parseChannelLevels(stderrTail);
  const loudest = greatest(levels);
  // Not a number if all is silent.
  if (!(loudest - mix >= CANCELED)) return;
  await decode([{ name: 'pan', options: { args: `mono|c0=c${levels.indexOf(loudest)}` } }]);
}

/** RMS of a file of samples in dBFS. */
async function levelOf(path: string, samples: Mono['samples']): Promise<number> {
  const file = await open(path);
  try {
    const buffer = new samples(64 * 1024);
    const bytes = new Uint8Array(buffer.buffer);
    const full = samples === Int16Array ? 32_768 : 1;
    let [power, count] = [0, 0];
    for (;;) {
      const { bytesRead } = await file.read(bytes, 0, bytes.length);
      const read = Math.floor(bytesRead / samples.BYTES_PER_ELEMENT);
      if (read === 0) break;
      for (let index = 0; index < read; index++) power += ((buffer[index] ?? 0) / full) ** 2;
      count += read;
    }
    return 10 * Math.log10(power / Math.max(1, count));
  } finally {
    await file.close();
  }
}
