import type { Packet } from 'node-av/lib';
import { type Coded, type EncoderTarget, pictureIn } from '../../../bitstream/codec.ts';
import { type Picture, quantiserOf } from '../../../bitstream/quantiser.ts';
import type { PictureFeed } from '../../../model/splice.ts';
import type { Part, RunJob } from './output-timeline.ts';
import type { Reader } from './read/reader.ts';

type RenderedPart = Extract<Part, { kind: 'rendered' }>;

/** What the source's own packets spend on the frames of a stretch. */
export interface Spent {
  frames: number;
  bytes: number;
  /** The largest packet from the entry on, which is usually its keyframe. */
  largest: number;
  pictures: Picture[];
}

/** Pictures of a stretch whose headers are read. */
const SAMPLED = 64;
/** Packets of a feed before its first frame. */
const LEAD = 600;

/** Reads the packets of a stretch without decoding them. */
export async function spentOn(
  { jobs }: Pick<RenderedPart, 'jobs'>,
  readers: readonly Reader[],
  coded: Coded,
): Promise<Spent> {
  const spent: Spent = { frames: 0, bytes: 0, largest: 0, pictures: [] };
  for (const job of jobs) {
    if (job.kind === 'run') await addRun(spent, job, readers, coded);
    else for (const feed of job.piece.feeds) await addFeed(spent, feed, job.piece.pts.length, readers, coded);
  }
  return spent;
}

async function addRun(
  spent: Spent,
  { input, run, frames }: RunJob,
  readers: readonly Reader[],
  coded: Coded,
): Promise<void> {
  const reader = readers[input];
  if (!reader) return;
  let packet: Packet | null = await reader.find(run.seek, run.entry);
  for (let count = 0; packet && count < run.packets; count++) {
    if (count > 0) packet = await reader.next();
    if (packet) add(spent, packet, frames.has(Number(packet.pts)), coded);
  }
}

/** @param count Frames that are drawn from the feed. */
async function addFeed(
  spent: Spent,
  { input, seek, from }: PictureFeed,
  count: number,
  readers: readonly Reader[],
  coded: Coded,
): Promise<void> {
  const [reader, model] = [readers[input], readers[0]];
  if (!reader || !model || !sameConfiguration(reader, model)) return;
  await reader.seek(seek ?? Number.MIN_SAFE_INTEGER);
  for (let [read, shown] = [0, 0]; shown < count && read < LEAD + count; read++) {
    const packet = await reader.next();
    if (!packet) break;
    const wanted = from === null || Number(packet.pts) >= from;
    if (wanted) shown += 1;
    add(spent, packet, wanted, coded);
  }
}

function sameConfiguration({ stream: one }: Reader, { stream: other }: Reader): boolean {
  const bytes = ({ codecpar }: typeof one) => Buffer.from(codecpar.extradata ?? []);
  return one.codecpar.codecId === other.codecpar.codecId && bytes(one).equals(bytes(other));
}

function add(spent: Spent, packet: Packet, shown: boolean, coded: Coded): void {
  const { size } = packet;
  spent.largest = Math.max(spent.largest, size);
  if (shown) {
    spent.frames += 1;
    spent.bytes += size;
  }
  if (spent.pictures.length >= SAMPLED) return;
  const picture = pictureIn(packet.data ?? new Uint8Array(), coded);
  if (picture) spent.pictures.push(picture);
}

/** Shorter stretches keep the quality alone; in longer ones, the bitrate counts too. */
const LONG_SECONDS = 10;
/** Bitrate of a long stretch compared with the source's, which has B-frames. */
const MOST_OF_SOURCE = 1.1;

export function bitsPerPixel(stretches: readonly Spent[], pixels: number): number {
  const sum = (of: (spent: Spent) => number) => stretches.reduce((total, spent) => total + of(spent), 0);
  return (
    (sum(({ bytes }) => bytes) * 8) /
    (pixels *
      Math.max(
        1,
        sum(({ frames }) => frames),
      ))
  );
}

/** @param frame Seconds that a frame is shown. */
export function targetOf(
  spent: Spent,
  frame: number,
  coded: Coded,
): Pick<EncoderTarget, 'quantiser' | 'maxKbps'> {
  const quantiser = coded.scale && quantiserOf(spent.pictures, coded.scale);
  const seconds = spent.frames * frame;
  const kbps = (spent.bytes * 8) / seconds / 1000;
  return { quantiser, maxKbps: seconds < LONG_SECONDS ? null : Math.ceil(kbps * MOST_OF_SOURCE) };
}
