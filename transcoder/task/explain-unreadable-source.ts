import { open } from 'node:fs/promises';
import type { Arrived } from '../../schema/media/sniff/arrival.ts';
import { whatArrived } from '../../schema/media/sniff/arrived.ts';
import type { MediaSource } from '../model/source/media-source.ts';
import { protectedSource, refusedAs } from '../model/source/refused-source.ts';
import { TaskFailure } from '../model/task-failure.ts';

/** Bytes to inspect at each end of a file; the index of an mp4 is at one of them. */
const LOOKED_AT = 1024 * 1024;

/** If the bytes of a blamed source show an unsupported file type, replaces the failure with one that names it. */
export async function namedRefusal(reason: unknown, sources: readonly MediaSource[]): Promise<unknown> {
  if (!(reason instanceof TaskFailure)) return reason;
  const { code, sourceIndex } = reason;
  const source = sourceIndex === undefined ? undefined : sources[sourceIndex];
  if (!source || (code !== 'source_not_media' && code !== 'source_damaged')) return reason;
  const { path, bytes } = source.parts();
  const ends = [await bytesOf(path, 0), await bytesOf(path, Math.max(0, bytes - LOOKED_AT))];
  const arrived = ends.some(isProtected)
    ? protectedSource
    : ends.some(isImmersive)
      ? immersiveSource
      : whatArrived((ends[0] ?? Buffer.alloc(0)).subarray(0, 4096));
  if (!arrived) return reason;
  return refusedAs(arrived, { ...(sourceIndex === undefined ? {} : { sourceIndex }), cause: reason });
}

/** libav shows only what the substreams of IAMF are coded as. */
const immersiveSource: Arrived = {
  what: 'media with audio in an unsupported format (IAMF)',
  advice: 'Convert its audio to AAC or another codec listed in /docs/formats.',
};

/** Sample entry and configuration of IAMF in mp4 (IAMF 1.0, section 4). */
const isImmersive = (bytes: Buffer): boolean =>
  ['iamf', 'iacb'].every((text) => bytes.includes(text, 0, 'latin1'));

/** Sample entries of protected tracks (ISO/IEC 14496-12 section 8.12), and header objects of protected ASF. */
function isProtected(bytes: Buffer): boolean {
  const has = (text: string) => bytes.includes(text, 0, 'latin1');
  const entries = ['encv', 'enca', 'drms', 'drmi'].some(has) && has('sinf') && has('schm');
  return entries || asfProtection.some(has);
}

/** Content Encryption and Extended Content Encryption; ASF specification sections 3.14 and 3.15. */
const asfProtection = [
  '\xfb\xb3\x11\x22\x23\xbd\xd2\x11\xb4\xb7\x00\xa0\xc9\x55\xfc\x6e',
  '\x14\xe6\x8a\x29\x22\x26\x17\x4c\xb9\x35\xda\xe0\x7e\xe9\x28\x9c',
];

async function bytesOf(path: string, at: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LOOKED_AT), 0, LOOKED_AT, at);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
