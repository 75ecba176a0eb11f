import { mediaTypeOf } from '../../schema/media/demuxers.ts';
import { whatArrived } from '../../schema/media/sniff/arrived.ts';
import { demuxerOf } from '../../schema/media/sniff/demuxer-of.ts';
import { fontType } from '../../schema/media/sniff/font.ts';
import { TaskFailure } from '../model/task-failure.ts';
import type { Origin } from './origin.ts';
import { SparseFile, type SparseOptions } from './sparse-file.ts';

/** Fonts with all Chinese characters have up to about 25 MB. */
const MOST_BYTES = 32_000_000;
const FIRST = 64 * 1024;

/**
 * Fetches a font, and stops at the first bytes if it is none. Throws TaskFailure with a `source_…` code, or `font_invalid`.
 */
export async function fontAt(origin: Origin, options: Omit<SparseOptions, 'limitBytes'>): Promise<void> {
  let file: SparseFile | undefined;
  try {
    file = await SparseFile.open(origin, FIRST, { ...options, limitBytes: MOST_BYTES });
    await file.need([0, Math.min(FIRST, file.bytes ?? FIRST)]);
    const head = await file.read([0, Math.min(FIRST, file.arrived)]);
    if (fontType(head) === null) throw notAFont(head);
    await file.whole();
  } catch (error) {
    if (!(error instanceof TaskFailure) || error.code !== 'source_too_large') throw error;
    throw new TaskFailure(
      'font_invalid',
      `style.font_url: The font has more than ${MOST_BYTES / 1e6} MB. Give one with fewer characters.`,
    );
  } finally {
    await file?.close();
  }
}

function notAFont(head: Uint8Array): TaskFailure {
  const media = demuxerOf(head);
  const what =
    whatArrived(head)?.what ?? (media ? `a media file (${mediaTypeOf[media]})` : 'a file in another format');
  return new TaskFailure(
    'font_invalid',
    `style.font_url: The URL returns ${what}, not a font. Give a direct link to a TTF, OTF, TTC, WOFF or WOFF2 file.`,
  );
}
