import { rename, rm } from 'node:fs/promises';
import type { Demuxer } from '../../../schema/media/demuxers.ts';
import { stripGif } from './gif.ts';
import { stripJpeg } from './jpeg.ts';
import type { KeptExif } from './kept-exif.ts';
import { stripApng, stripPng } from './png.ts';
import { Rewrite } from './rewrite.ts';
import { stripWebp } from './webp.ts';

const strippers: Partial<Record<Demuxer, (file: Rewrite, exif: KeptExif) => Promise<void>>> = {
  png_pipe: stripPng,
  apng: stripApng,
  jpeg_pipe: stripJpeg,
  webp_pipe: stripWebp,
  gif: stripGif,
};

export const isPicture = (format: Demuxer): boolean => format in strippers;

/**
 * Removes everything from a picture that does not affect how it looks: text, previews, unknown blocks and trailing
 * data. Decoders read all of these into memory first, and some expand a thousandfold. Orientation and one color
 * profile are kept. Throws `source_too_large` if the profile is larger than any real one.
 */
export async function stripPicture(
  path: string,
  format: Demuxer,
  exif: KeptExif = 'with Exif',
): Promise<void> {
  const strip = strippers[format];
  if (!strip) return;
  const stripped = `${path}.stripped`;
  try {
    await Rewrite.run(path, stripped, (file) => strip(file, exif));
    await rename(stripped, path);
  } catch (error) {
    await rm(stripped, { force: true });
    throw error;
  }
}
