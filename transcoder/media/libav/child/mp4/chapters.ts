import { rename, stat } from 'node:fs/promises';
import { withChapterTrack } from '../../../../bitstream/mp4/chapter-track.ts';
import { indexForFront } from '../../../../bitstream/mp4/front-index.ts';
import { box } from '../../../../bitstream/mp4/write-tables.ts';
import type { Chapter } from '../../../../model/source/contents.ts';
import { SourceBytes } from '../read/source-bytes.ts';
import { movieAt } from './movie.ts';
import { Sink } from './sink.ts';

/** Bytes between two turns of the event loop, which lets messages out. */
const TURN = 16 * 1024 * 1024;
const BOX_START = 8;

/**
 * Adds chapters to an mp4 that libav wrote, which cannot write them, and moves its index to the front. Without chapters the file stays
 * as it is. Throws if its index is not behind its media.
 */
export async function withChapters(file: string, chapters: readonly Chapter[]): Promise<void> {
  if (chapters.length === 0) return;
  const { size } = await stat(file);
  const bytes = new SourceBytes({ path: file, format: 'mov', bytes: size, present: null, near: null });
  const path = `${file}.chapters`;
  const sink = new Sink(path, 0);
  try {
    const movie = await movieAt(bytes);
    if (movie?.to !== size || movie.before === null) throw new Error('the index is not behind the media');
    const { moov, titles } = withChapterTrack(movie.bytes, chapters, movie.from + BOX_START);
    sink.append(await bytes.all([0, movie.before]));
    sink.append(indexForFront(moov));
    for (let at = movie.before; at < movie.from; at += TURN) {
      await sink.copy(bytes, at, Math.min(TURN, movie.from - at));
      await new Promise(setImmediate);
    }
    sink.append(box('mdat', titles));
    sink.flush();
  } finally {
    sink.close();
    bytes.close();
  }
  await rename(path, file);
}
