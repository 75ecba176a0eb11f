import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { SourceFile } from '../model/source/media-source.ts';
import { garbageBefore } from './sniff.ts';

/** Removes what a decoder could take for sound from before the first frame of an audio file. */
export async function stripGarbage({ path, format }: SourceFile): Promise<void> {
  const start = await garbageBefore(path, format);
  if (start === 0) return;
  const stripped = `${path}.stripped`;
  try {
    await pipeline(createReadStream(path, { start }), createWriteStream(stripped));
    await rename(stripped, path);
  } finally {
    await rm(stripped, { force: true });
  }
}
