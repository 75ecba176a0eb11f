import { writeFile } from 'node:fs/promises';
import type { Demuxer } from '../../../../../schema/media/demuxers.ts';
import type { Span } from '../../../../model/source/byte-ranges.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { SourceBytes } from '../read/source-bytes.ts';

const CHUNK = 1 << 20;

/** Writes bytes of a source into a file, which then is a source of its own. */
export async function partFile(source: SourceParts, span: Span, path: string): Promise<SourceParts> {
  const bytes = new SourceBytes(source);
  try {
    await writeFile(path, bytesOf(bytes, span));
  } finally {
    bytes.close();
  }
  const format: Demuxer = source.format;
  return { path, format, bytes: span[1] - span[0], present: null, near: null };
}

async function* bytesOf(bytes: SourceBytes, [from, to]: Span): AsyncGenerator<Buffer> {
  for (let at = from; at < to; at += CHUNK) yield await bytes.all([at, Math.min(to, at + CHUNK)]);
}
