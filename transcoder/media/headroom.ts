import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Headroom } from '../ffmpeg/step.ts';

const FULL = 0.9999;
const CHUNK = 1 << 18;

/** Lowers the sounds, all alike and only where one of them would clip. @returns by how much. */
export async function keepFromClipping({ files }: Headroom, directory: string): Promise<{ gain_db: number }> {
  const paths = files.map((file) => join(directory, file));
  let highest = 0;
  for (const path of paths) {
    await through(path, (samples) => {
      for (const value of samples) highest = Math.max(highest, Math.abs(value));
      return false;
    });
  }
  if (highest <= FULL) return { gain_db: 0 };
  const gain = FULL / highest;
  for (const path of paths) {
    await through(path, (samples) => {
      for (let index = 0; index < samples.length; index++) samples[index] = (samples[index] ?? 0) * gain;
      return true;
    });
  }
  return { gain_db: Math.round(2000 * Math.log10(gain)) / 100 };
}

/** Hands over a file of floats part by part. @param work Says whether what it was given is written back. */
async function through(path: string, work: (samples: Float32Array) => boolean): Promise<void> {
  const file: FileHandle = await open(path, 'r+');
  try {
    for (let at = 0; ; ) {
      const samples = new Float32Array(CHUNK);
      const bytes = new Uint8Array(samples.buffer);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, at);
      if (bytesRead === 0) return;
      if (work(samples.subarray(0, bytesRead / 4))) await file.write(bytes, 0, bytesRead, at);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}
