import { rename, rm } from 'node:fs/promises';
import type { Demuxer } from '../../model/demuxers.ts';
import { stripGif } from './gif.ts';
import { stripJpeg } from './jpeg.ts';
import { stripPng } from './png.ts';
import { Rewrite } from './rewrite.ts';
import { stripWebp } from './webp.ts';

const strippers: Partial<Record<Demuxer, (file: Rewrite) => Promise<void>>> = {
  png_pipe: stripPng,
  jpeg_pipe: stripJpeg,
  webp_pipe: stripWebp,
  gif: stripGif,
};

export const isPicture = (format: Demuxer): boolean => format in strippers;

/**
 * Removes from a picture whatever does not change how it looks: texts, previews, unknown blocks, and what follows its
 * end. Decoders read all of it into memory first, and some of it inflates a thousandfold. Orientation and one colour
 * profile stay. Throws `source_too_large` where the profile is larger than any real one.
 */
export async function stripPicture(path: string, format: Demuxer): Promise<void> {
  const strip = strippers[format];
  if (!strip) return;
  const stripped = `${path}.stripped`;
  try {
    await Rewrite.run(path, stripped, strip);
    await rename(stripped, path);
  } catch (error) {
    await rm(stripped, { force: true });
    throw error;
  }
}
