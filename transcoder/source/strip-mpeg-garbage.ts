import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { garbageBefore } from './sniff.ts';

/** Removes what stands before the first frame of MPEG audio and is no tag: a decoder would take parts of it for sound. */
export async function stripGarbage(path: string): Promise<void> {
  const start = await garbageBefore(path);
  if (start === 0) return;
  const stripped = `${path}.stripped`;
  try {
    await pipeline(createReadStream(path, { start }), createWriteStream(stripped));
    await rename(stripped, path);
  } finally {
    await rm(stripped, { force: true });
  }
}
