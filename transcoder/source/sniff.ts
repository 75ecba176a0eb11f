import { type FileHandle, open } from 'node:fs/promises';
import type { Demuxer } from '../../schema/media/demuxers.ts';
import {
  BEHIND_ID3,
  behindTags,
  demuxerIn,
  GARBAGE_BYTES,
  SNIFF_BYTES,
} from '../../schema/media/sniff/demuxer-of.ts';
import { audioSync, soundStart } from '../../schema/media/sniff/sound-frames.ts';

export async function demuxerOfFile(path: string): Promise<Demuxer | null> {
  const file = await open(path);
  try {
    return await demuxerIn((at, length) => bytesAt(file, at, length));
  } finally {
    await file.close();
  }
}

/** Formats whose first frame may come after bytes that are neither sound nor a tag. */
const behindGarbage: readonly Demuxer[] = ['mp3', 'aac'];
/** Formats without tags of their own: libav decodes an ID3v2 tag before them as a frame, which is then missing. */
const untagged: readonly Demuxer[] = ['ac3', 'eac3'];

/** Whether bytes before the first frame of an audio file have to be removed; reads only the first frame's header. */
export async function needsStripping(path: string, format: Demuxer): Promise<boolean> {
  if (!behindGarbage.includes(format) && !untagged.includes(format)) return false;
  const { sound, end } = await soundAt(path, BEHIND_ID3);
  return !sound || (end > 0 && untagged.includes(format));
}

/** Number of bytes to remove before the first frame: any that are neither sound nor a tag followed by sound. */
export async function garbageBefore(path: string, format: Demuxer): Promise<number> {
  const { sound, end, bytes } = await soundAt(path, GARBAGE_BYTES);
  const found = sound ? null : soundStart(bytes);
  if (found) return end + found.at;
  return untagged.includes(format) ? end : 0;
}

async function soundAt(
  path: string,
  length: number,
): Promise<{ sound: boolean; end: number; bytes: Buffer }> {
  const file = await open(path);
  try {
    const read = (at: number, count: number) => bytesAt(file, at, count);
    const { end } = await behindTags(read, await read(0, SNIFF_BYTES));
    const bytes = await bytesAt(file, end, length);
    return { sound: audioSync(bytes) !== null, end, bytes };
  } finally {
    await file.close();
  }
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}
