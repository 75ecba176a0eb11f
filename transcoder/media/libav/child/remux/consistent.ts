import { closeSync, openSync, writeSync } from 'node:fs';
import { type Patch, unfinishedSizes } from '../../../../bitstream/unfinished-sizes.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import type { ConsistentRequest } from '../../protocol.ts';
import { SourceBytes } from '../read/source-bytes.ts';
import { miscountedSounds, misnamedPictures } from './avi-streams.ts';
import { misstatedEnd } from './ogg-sound.ts';
import { onceInOneTable } from './transport-stream.ts';

/** Bytes in which the headers are that may be wrong. */
const HEAD = 256 * 1024;
const CHUNK = 1 << 20;

/** Answers the request of this name. */
export async function consistent(request: ConsistentRequest): Promise<boolean> {
  const { source, file } = request;
  if (source.format === 'mpegts') return onceInOneTable(request);
  const bytes = new SourceBytes(source);
  try {
    const patches = await patchesOf(source, await bytes.all([0, HEAD]), bytes);
    if (patches.length > 0 && file !== null) await writePatched(bytes, patches, file);
    return patches.length > 0;
  } finally {
    bytes.close();
  }
}

async function patchesOf(source: SourceParts, head: Buffer, bytes: SourceBytes): Promise<Patch[]> {
  if (source.format === 'ogg') return misstatedEnd(source, head, bytes);
  if (source.format !== 'avi') return unfinishedSizes(head, source.bytes);
  return [...(await miscountedSounds(source, head)), ...(await misnamedPictures(source, head))];
}

async function writePatched(bytes: SourceBytes, patches: readonly Patch[], file: string): Promise<void> {
  const output = openSync(file, 'w');
  try {
    for (let at = 0; at < bytes.size; at += CHUNK) {
      await new Promise(setImmediate);
      writeSync(output, await bytes.all([at, Math.min(bytes.size, at + CHUNK)]));
    }
    for (const patch of patches) writeSync(output, patch.bytes, 0, patch.bytes.length, patch.at);
  } finally {
    closeSync(output);
  }
}
