import { readFile } from 'node:fs/promises';
import { TaskFailure } from '../model/task-failure.ts';
import type { Origin } from './origin.ts';
import { SparseFile, type SparseOptions } from './sparse-file.ts';

const FIRST = 64 * 1024;

/**
 * The complete text of an origin. Throws TaskFailure with a `source_…` code, or `captions_invalid` if it is not text.
 */
export async function textAt(origin: Origin, options: SparseOptions): Promise<string> {
  const file = await SparseFile.open(origin, FIRST, options);
  try {
    await file.whole();
    return textOf(await readFile(file.path));
  } finally {
    await file.close();
  }
}

/** Decodes UTF-8, UTF-16 with a byte order mark, or Windows-1252, as in old caption files. */
export function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes.includes(0))
    throw new TaskFailure(
      'captions_invalid',
      'The file is not a text file. Give SubRip, WebVTT, ASS, words as JSON or plain text.',
    );
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
