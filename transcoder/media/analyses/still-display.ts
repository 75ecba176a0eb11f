import { open } from 'node:fs/promises';
import type { Analysis } from '../../model/plan.ts';
import type { Analyzer } from './analyzer.ts';
import { rgbProfileIn } from './color-profile.ts';
import { orientationIn } from './exif-orientation.ts';

/** Cameras write EXIF near the start. WebP stores it after the picture, which is read up to this limit. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The beginning of a picture's file, with what it states apart from its pixels. */
export async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const size = Math.min((await file.stat()).size, MOST_BYTES);
    const { buffer } = await file.read(Buffer.alloc(size), 0, size, 0);
    return buffer;
  } finally {
    await file.close();
  }
}

export const display: Analyzer<Extract<Analysis, { kind: 'display' }>> = async (_, __, { source }) => {
  const bytes = await headOf((await source.whole()).path);
  return { orientation: orientationIn(bytes), colors: await rgbProfileIn(bytes) };
};
