import { LONGEST_OGG_PAGE, oggPageAt } from '../../../../bitstream/ogg-page.ts';
import type { Span } from '../../../../model/source/byte-ranges.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { SourceBytes } from './source-bytes.ts';

/**
 * Whether an Ogg file is chained: one recording after another, as players save web radio. libav takes the first one for all of it. Of a
 * file that is not here as a whole, it is seen only if the last recording has a serial number of its own.
 */
export async function isChained(source: SourceParts): Promise<boolean> {
  if (source.present === null) return (await linksOf(source)).length > 1;
  const bytes = new SourceBytes(source);
  try {
    const head = await bytes.all([0, LONGEST_OGG_PAGE]);
    const serials = new Set<number>();
    for (let at = 0, page = oggPageAt(head, at); page?.begins; page = oggPageAt(head, at)) {
      serials.add(page.serial);
      at += page.length;
    }
    const tail = await bytes.all([Math.max(0, bytes.size - LONGEST_OGG_PAGE), bytes.size]);
    for (let at = tail.lastIndexOf('OggS'); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf('OggS', at - 1)) {
      const page = oggPageAt(tail, at);
      if (page) return serials.size > 0 && !serials.has(page.serial);
    }
    return false;
  } finally {
    bytes.close();
  }
}

/** More recordings than these are not one after another in a file that someone made. */
const MOST_LINKS = 10_000;
const READ = 1 << 20;

/** The bytes of each recording of a chained file. */
export async function linksOf(source: SourceParts): Promise<Span[]> {
  const bytes = new SourceBytes(source);
  try {
    const starts: number[] = [];
    let chunk: Buffer = Buffer.alloc(0);
    let [from, beginning] = [0, false];
    for (let at = 0; at < bytes.size; ) {
      const end = from + chunk.length;
      if (end < bytes.size && at + LONGEST_OGG_PAGE > end) {
        [from, chunk] = [at, await bytes.all([at, Math.min(bytes.size, at + READ)])];
        if (chunk.length === 0) break;
      }
      const page = oggPageAt(chunk, at - from);
      if (page?.begins && !beginning) starts.push(at);
      if (starts.length > MOST_LINKS) throw new Error('a chain has too many links');
      beginning = page?.begins ?? beginning;
      at = page ? at + page.length : nextPage(chunk, from, at + 1);
    }
    return starts.map((start, index): Span => [start, starts[index + 1] ?? bytes.size]);
  } finally {
    bytes.close();
  }
}

/** Where a page may begin behind damaged bytes. */
function nextPage(chunk: Buffer, from: number, at: number): number {
  const found = chunk.indexOf('OggS', at - from);
  return from + (found < 0 ? Math.max(at - from, chunk.length - 3) : found);
}
