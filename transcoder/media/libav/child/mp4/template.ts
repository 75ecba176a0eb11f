import { readFile, rm } from 'node:fs/promises';
import { type FormatContext, Packet, type Stream } from 'node-av/lib';
import type { Joined } from '../../../../bitstream/codec.ts';
import { type Box, boxesIn } from '../../../../bitstream/mp4/boxes.ts';
import { withChapterTrack } from '../../../../bitstream/mp4/chapter-track.ts';
import { samplesOf, tracksOf } from '../../../../bitstream/mp4/sample-tables.ts';
import { isFillable } from '../../../../bitstream/mp4/write-tables.ts';
import type { Chapter } from '../../../../model/source/contents.ts';
import type { SpliceRequest } from '../../../../model/splice.ts';
import { checked, streamOf } from '../av.ts';
import type { CopiedTrack } from '../copied-track.ts';
import { type OutputTrack, openOutput, placesOf } from '../open-output.ts';
import { TextTrack } from '../text-track.ts';

/** Times of the samples of a track, in decoding order and ticks of its stream. */
export interface Times {
  pts: ArrayLike<number>;
  dts: ArrayLike<number>;
  durations: ArrayLike<number>;
}

/** What libav writes around the samples of a file. */
export interface Template {
  /** Boxes before the index. */
  head: Buffer;
  /** With few samples in the tracks of picture and sound. */
  moov: Buffer;
  /** All samples of each further track, one after another. */
  texts: { bytes: Buffer; samples: number }[];
}

/** What libav describes. */
interface Described {
  /** The picture, sounds and texts that are copied. */
  tracks: readonly OutputTrack[];
  /** Of the picture and of each sound. */
  times: readonly Times[];
  texts: readonly CopiedTrack[];
  joined: Joined;
}

/** Enough for a packet that no muxer looks into. */
const CONTENT = Buffer.alloc(8);
/** libav takes no larger steps between decoding times. */
const FARTHEST = 2 ** 30;

/**
 * Has libav write a file with only those samples that its boxes depend on: the first, the last, and the one shown last. Null if its
 * tables then say more of samples than can be filled in.
 */
export async function templateOf(
  { file, container, text, chapters = [], metadata, rotate }: SpliceRequest,
  { tracks, times, texts, joined }: Described,
): Promise<Template | null> {
  const path = `${file}.template`;
  const spoken = text ? new TextTrack(text) : null;
  try {
    const output = await openOutput(path, container, tracks, joined, {
      ...{ text: spoken, metadata, rotate, between: true },
    });
    try {
      const places = placesOf(tracks, spoken !== null);
      if (times.some((_, index) => !sameUnit(tracks[index]?.stream, streamOf(output, index)))) return null;
      for (const [index, each] of times.entries()) writeEnds(output, index, each);
      if (spoken) await writeText(output, places.text ?? 0, spoken);
      for (const [index, each] of texts.entries())
        await writeText(output, places.copied[times.length + index] ?? 0, each);
      checked(await output.writeTrailer(), 'write trailer');
    } finally {
      await output.closeOutput();
      output.freeContext();
    }
    const made = templateIn(await readFile(path), times.length);
    return made && chapters.length > 0 ? withChapters(made, chapters) : made;
  } finally {
    spoken?.close();
    await rm(path, { force: true });
  }
}

function withChapters({ head, moov, texts }: Template, chapters: readonly Chapter[]): Template {
  const { titles, samples, ...chaptered } = withChapterTrack(moov, chapters, 0);
  return { head, moov: chaptered.moov, texts: [...texts, { bytes: titles, samples }] };
}

const sameUnit = (source: Stream | undefined, { timeBase: { num, den } }: Stream): boolean =>
  source?.timeBase.num === num && source.timeBase.den === den;

function writeEnds(output: FormatContext, index: number, { pts, dts, durations }: Times): void {
  const packet = new Packet();
  packet.alloc();
  let latest = 0;
  const endOf = (at: number) => (pts[at] ?? 0) + (durations[at] ?? 0);
  for (let at = 1; at < pts.length; at++) if (endOf(at) > endOf(latest)) latest = at;
  let before = dts[0] ?? 0;
  const write = (shown: number, decoded: number, duration: number) => {
    packet.unref();
    packet.data = CONTENT;
    packet.streamIndex = index;
    packet.isKeyframe = true;
    [packet.pts, packet.dts, packet.duration] = [BigInt(shown), BigInt(decoded), BigInt(duration)];
    checked(output.writeFrameSync(packet), 'write');
    before = decoded;
  };
  for (const at of new Set([0, latest, pts.length - 1])) {
    const decoded = dts[at] ?? 0;
    while (decoded - before > FARTHEST) write(before + FARTHEST, before + FARTHEST, 1);
    write(pts[at] ?? 0, decoded, durations[at] ?? 0);
  }
  packet.free();
}

async function writeText(output: FormatContext, index: number, text: TextTrack | CopiedTrack): Promise<void> {
  const { timeBase } = streamOf(output, index);
  for (
    let packet = await text.before(Number.POSITIVE_INFINITY);
    packet;
    packet = await text.before(Number.POSITIVE_INFINITY)
  ) {
    packet.streamIndex = index;
    packet.rescaleTs(text.timeBase, timeBase);
    checked(output.writeFrameSync(packet), 'write');
    text.taken();
  }
}

/** @param timed Tracks at the beginning whose samples are filled in. */
function templateIn(file: Buffer, timed: number): Template | null {
  const boxes = [...boxesIn(file, 0, file.length)];
  const index = boxes.find(({ type }) => type === 'moov');
  const before = boxes.findIndex(({ type }) => type === 'mdat');
  if (!index || before < 0) return null;
  const bytes = ({ from, to }: Box) => file.subarray(from, to);
  const head = boxes.slice(0, before).filter(({ type }) => type !== 'free' && type !== 'wide');
  const moov = bytes(index);
  const tracks = tracksOf(moov);
  if (!tracks.slice(0, timed).every((track) => isFillable(moov, track))) return null;
  const texts: Template['texts'] = [];
  for (const track of tracks.slice(timed)) {
    const said = samplesOf(moov, track);
    if (!said) return null;
    const parts = Array.from(said.sizes, (size, at) =>
      file.subarray(said.positions[at], (said.positions[at] ?? 0) + size),
    );
    texts.push({ bytes: Buffer.concat(parts), samples: said.length });
  }
  return { head: Buffer.concat(head.map(bytes)), moov, texts };
}
