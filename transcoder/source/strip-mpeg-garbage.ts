import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { garbageBefore } from './sniff.ts';

/** Removes bytes before the first MPEG audio frame that are not a tag: a decoder could take parts of them for sound. */
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
