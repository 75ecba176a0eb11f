import { readFile, rm } from 'node:fs/promises';
import { type FormatContext, Packet, type Stream } from 'node-av/lib';
import type { Joined } from '../../../../bitstream/codec.ts';
import { type Box, boxesIn } from '../../../../bitstream/mp4/boxes.ts';
import { samplesOf, tracksOf } from '../../../../bitstream/mp4/sample-tables.ts';
import { isFillable } from '../../../../bitstream/mp4/write-tables.ts';
import type { SpliceRequest } from '../../../../model/splice.ts';
import { checked, openOutput, streamOf } from '../av.ts';
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
  /** All of the text track, one after another; null if there is none. */
  text: { bytes: Buffer; samples: number } | null;
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
  { file, container, text, metadata, labels, rotate }: SpliceRequest,
  streams: readonly Stream[],
  joined: Joined,
  tracks: readonly Times[],
): Promise<Template | null> {
  const path = `${file}.template`;
  const spoken = text ? new TextTrack(text) : null;
  try {
    const output = await openOutput(path, container, streams, joined, {
      ...{ text: spoken, metadata, labels: labels && [labels.video, labels.audio], rotate, between: true },
    });
    try {
      if (tracks.some((_, index) => !sameUnit(streams[index], streamOf(output, index)))) return null;
      for (const [index, times] of tracks.entries()) writeEnds(output, index, times);
      if (spoken) writeText(output, tracks.length, spoken);
      checked(await output.writeTrailer(), 'write trailer');
    } finally {
      await output.closeOutput();
      output.freeContext();
    }
    return templateIn(await readFile(path), tracks.length);
  } finally {
    spoken?.close();
    await rm(path, { force: true });
  }
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

function writeText(output: FormatContext, index: number, text: TextTrack): void {
  const { timeBase } = streamOf(output, index);
  for (
    let packet = text.before(Number.POSITIVE_INFINITY);
    packet;
    packet = text.before(Number.POSITIVE_INFINITY)
  ) {
    packet.streamIndex = index;
    packet.rescaleTs(packet.timeBase, timeBase);
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
  const [text, ...others] = tracks.slice(timed);
  const said = text && samplesOf(moov, text);
  if (others.length > 0 || (text && !said)) return null;
  const parts = said
    ? Array.from(said.sizes, (size, at) =>
        file.subarray(said.positions[at], (said.positions[at] ?? 0) + size),
      )
    : [];
  return {
    ...{ head: Buffer.concat(head.map(bytes)), moov },
    text: said ? { bytes: Buffer.concat(parts), samples: said.length } : null,
  };
}
