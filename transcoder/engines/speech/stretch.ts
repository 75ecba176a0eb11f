import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Programs, run } from '../../ffmpeg/run.ts';
import type { Stretch } from '../../model/steps.ts';
import { waveHead, waveOf } from './wave.ts';

/** Samples by which rubberband's output may be longer or shorter than requested. */
const OFF = 1;
/** Seconds of output below which rubberband may return less, or nothing. Silence replaces what is missing. */
const SHORTEST = 0.005;
/** Bytes that hold everything before the samples of a WAVE file. */
const HEAD = 4096;
const BYTES = 4;
/** Seconds that the program may take for a second of sound, and at least. */
const [PACE, LEAST] = [2, 600];

interface Conditions {
  /** The job's directory. */
  directory: string;
  signal?: AbortSignal | undefined;
}

/**
 * Uses rubberband's finer (R3) engine, which is sample-accurate; ffmpeg's `rubberband` filter adds a delay. The sound is
 * never in memory as a whole.
 * @returns by how many samples the output was off before it was cut or padded.
 */
export async function stretch(
  { programs }: { programs: Programs },
  { from, file, sampleRate, channels, samples }: Stretch,
  { directory, signal }: Conditions,
): Promise<number> {
  const [source, made] = [join(directory, 'stretch-from.wav'), join(directory, 'stretch-to.wav')];
  const raw = join(directory, from);
  const { size } = await stat(raw);
  const head = waveHead({ bytes: size, sampleRate, channels });
  const whole = createWriteStream(source);
  whole.write(head);
  await pipeline(createReadStream(raw), whole, { signal });
  const seconds = samples / sampleRate;
  const args = ['-q', '-3', '-D', seconds.toFixed(9), source, made];
  const longest = Math.max(seconds, size / (BYTES * channels * sampleRate));
  const timeoutSeconds = LEAST + Math.ceil(PACE * longest);
  await run(programs, 'rubberband', args, { cwd: directory, signal, timeoutSeconds });
  const found = await samplesIn(made);
  const off = found.bytes / (BYTES * channels) - samples;
  if (Math.abs(off) > OFF && seconds > SHORTEST)
    throw new Error(`rubberband returned ${samples + off} samples, not ${samples}`);
  const target = join(directory, file);
  const stretched =
    found.bytes > 0 ? createReadStream(made, { start: found.at, end: found.at + found.bytes - 1 }) : [];
  await pipeline(stretched, createWriteStream(target), { signal });
  await truncate(target, samples * BYTES * channels);
  await Promise.all([source, made].map((path) => rm(path)));
  return off;
}

async function samplesIn(path: string): Promise<{ at: number; bytes: number }> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    const { at, length } = waveOf(buffer.subarray(0, bytesRead));
    return { at, bytes: length };
  } finally {
    await file.close();
  }
}
