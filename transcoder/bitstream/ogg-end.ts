import { type OggPage, oggPageAt } from './ogg-page.ts';

/** The end of a sound that is alone in an Ogg file, as its last page states it. */
export interface OggEnd {
  codec: 'vorbis' | 'speex';
  /** Where the last page is in the tail. */
  at: number;
  page: OggPage;
  /** The range that the granule of the last page can be in by the packets on it, of which the last is not left out as a whole. */
  least: number;
  most: number;
}

/** Of the identification header of Vorbis (I, 4.2.2): the exponents of both block sizes. */
const VORBIS_BLOCKS = 28;
/** Of the header of Speex: `frame_size` and `frames_per_packet`. */
const [SPEEX_FRAME, SPEEX_FRAMES, SPEEX_HEADER] = [56, 64, 80];

/**
 * Null for other codecs, several streams or recordings, and if the last two pages do not tell.
 * @param head The beginning of the file. @param tail Its end.
 */
export function oggEnd(head: Buffer, tail: Buffer): OggEnd | null {
  const first = oggPageAt(head, 0);
  if (!first?.begins || oggPageAt(head, first.length)?.begins !== false) return null;
  const sound = soundIn(head.subarray(first.header, first.length));
  const [before, last] = pagesIn(tail).slice(-2);
  if (!sound || !before || !last || last.page.packets === 0) return null;
  const isWhole = last.at + last.page.length === tail.length;
  const isSame = [before, last].every(({ page }) => page.serial === first.serial && page.granule >= 0);
  // Behind a page that is lost, sound is later than its packets say.
  const isNext = last.page.sequence === before.page.sequence + 1;
  if (!isWhole || !isSame || !isNext || last.page.begins) return null;
  const { codec, samples } = sound;
  const most = before.page.granule + last.page.packets * samples;
  // Blocks of Vorbis may be shorter.
  return { codec, ...last, least: codec === 'speex' ? most - samples + 1 : 0, most };
}

/** Its codec, and how many samples a packet has, or at most. */
function soundIn(header: Buffer): { codec: OggEnd['codec']; samples: number } | null {
  if (header.length > VORBIS_BLOCKS && header.toString('latin1', 0, 7) === '\x01vorbis')
    return { codec: 'vorbis', samples: 2 ** ((header[VORBIS_BLOCKS] ?? 0) >> 4) / 2 };
  if (header.length < SPEEX_HEADER || header.toString('latin1', 0, 8) !== 'Speex   ') return null;
  const samples = header.readUInt32LE(SPEEX_FRAME) * header.readUInt32LE(SPEEX_FRAMES);
  return samples > 0 ? { codec: 'speex', samples } : null;
}

function pagesIn(bytes: Buffer): { at: number; page: OggPage }[] {
  const pages: { at: number; page: OggPage }[] = [];
  for (let at = bytes.indexOf('OggS'); at >= 0; ) {
    const page = oggPageAt(bytes, at);
    if (page) pages.push({ at, page });
    at = bytes.indexOf('OggS', at + (page?.length ?? 1));
  }
  return pages;
}
