import type { Frame } from 'node-av/lib';
import { greatest, least } from '../../../model/numbers/min-max.ts';
import type { Identified, IdentifyRequest } from '../protocol.ts';
import { upright } from './autorotate.ts';
import { Decoder } from './av.ts';
import { FrameGraph } from './frame-graph.ts';
import { Stretch, Tape, tickOf } from './read/packet-window.ts';

/** Size of a fingerprint: a small greyscale picture whose cells average the area they cover. */
const CELLS = { across: 32, down: 18 } as const;

/** Packets that a decoder takes before it gives out a frame: reordered ones, and those in its threads. */
const MOST_DELAY = 32;
/** Anchors from which on result and source are decoded at the same time. */
const MANY = 12;
/** Seconds between anchors up to which they are decoded together: a decoder takes packets beyond what it gives out. */
const NEAR = 1;

/** Fingerprints the frames of a file and of its source around each anchor. Frames with identical packets are not decoded. */
export async function identify(request: IdentifyRequest): Promise<Identified> {
  const sharing = request.anchors.length >= MANY ? 2 : 1;
  const made = await Viewer.open(request.made, sharing);
  const from = await Viewer.open(request.from, sharing, made.size);
  try {
    const found: Identified = [];
    const differing: Anchor[] = [];
    for (const [index, anchor] of request.anchors.entries()) {
      const copied = copiedOf(
        await made.packets(anchor.made, anchor.shown.made),
        await from.packets(anchor.from, anchor.shown.from),
      );
      if (copied) found[index] = copied;
      else differing.push(anchor);
    }
    for (const near of neighbours(differing)) {
      const seen = await framesOf(near, made, from);
      for (const [at, anchor] of near.entries()) {
        const one = seen[at];
        if (one) found[request.anchors.indexOf(anchor)] = one;
      }
    }
    return found;
  } finally {
    await made.close();
    await from.close();
  }
}

type Region = IdentifyRequest['made']['region'];
type Anchor = IdentifyRequest['anchors'][number];
type Window = Anchor['made'];
interface Shown {
  time: number;
  bytes: Buffer;
}

/** In order of time, in groups of anchors that are decoded together. */
function neighbours(anchors: readonly Anchor[]): Anchor[][] {
  const groups: Anchor[][] = [];
  for (const anchor of anchors.toSorted((a, b) => a.made[0] - b.made[0] || a.from[0] - b.from[0])) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const isNear = last && (['made', 'from'] as const).every((side) => follows(last[side], anchor[side]));
    if (group && isNear) group.push(anchor);
    else groups.push([anchor]);
  }
  return groups;
}

const follows = (before: Window, window: Window) => window[0] >= before[0] && window[0] - before[1] < NEAR;

/** The frames of result and source around each of the anchors, which lie close together. */
async function framesOf(anchors: readonly Anchor[], made: Viewer, from: Viewer): Promise<Identified> {
  const seen = (side: 'made' | 'from') =>
    ({ made, from })[side].frames(
      anchors.map((anchor) => ({ window: anchor[side], since: anchor.shown[side] })),
    );
  const both = [seen('made'), seen('from')] as const;
  // Neither may be closed while libav works on it, even if the other one fails.
  await Promise.allSettled(both);
  const [ours, theirs] = [await both[0], await both[1]];
  return anchors.map((_, at) => ({ copied: null, made: ours[at] ?? [], from: theirs[at] ?? [] }));
}

/** Null if any packet does not occur in the source. */
function copiedOf(made: readonly Shown[], from: readonly Shown[]): Identified[number] | null {
  const copied = made.map(({ bytes }) =>
    from.filter((one) => one.bytes.equals(bytes)).map(({ time }) => time),
  );
  if (copied.length === 0 || copied.some(({ length }) => length === 0)) return null;
  const listed = (shown: readonly Shown[]) => shown.map(({ time }) => ({ time, cells: '' }));
  return { copied, made: listed(made), from: listed(from) };
}

interface Size {
  width: number;
  height: number;
}

/** One stream, viewed upright and cropped to a region. */
class Viewer {
  /** Of the region, in pixels. */
  readonly size: Size;
  #tape: Tape;
  #origin: number;
  #decoder: Decoder;
  #graph: FrameGraph;
  /** What the decoder has: packets from a keyframe on, up to a tick. */
  #decoded: { key: number | null; packets: number; to: number } | null = null;

  private constructor(size: Size, tape: Tape, origin: number, decoder: Decoder, graph: FrameGraph) {
    this.size = size;
    this.#tape = tape;
    this.#origin = origin;
    this.#decoder = decoder;
    this.#graph = graph;
  }

  /** @param like Size to which the region is resized first: details finer than a pixel of the result leave traces in it. */
  static async open(
    { source, stream, origin, region, turn, field }: IdentifyRequest['made'],
    sharing: number,
    like?: Size,
  ): Promise<Viewer> {
    const tape = await Tape.open({ source, stream });
    const { x, y, width, height } = region;
    const crop = `crop=w=iw*${width}:h=ih*${height}:x=iw*${x}:y=ih*${y}:exact=1`;
    const small = `scale=${CELLS.across}:${CELLS.down}:flags=area,format=gray16le`;
    const gray = 'format=gray|gray10le|gray12le|gray16le';
    const turned = [...upright(tape.reader.stream), ...(turn ? [turn] : [])];
    const whole = uprightSize(tape, turned);
    const kept = { width: whole.width * width, height: whole.height * height };
    const size = { width: atLeast1(kept.width), height: atLeast1(kept.height) };
    const chain = [
      ...(field ? [`field=${field}`] : []),
      ...turned,
      gray,
      ...regionOf(crop, region, kept, like ?? size),
      small,
    ];
    return new Viewer(
      size,
      tape,
      origin,
      await Decoder.open(tape.reader.stream, { exact: false, sharing }),
      new FrameGraph(chain.join()),
    );
  }

  /**
   * Packets shown within a window, in presentation order.
   * @param since By this second something is shown: the last packet before the window, if there is none yet within it.
   */
  async packets(window: Window, since: number): Promise<Shown[]> {
    const [from, to] = this.#ticks(window);
    await this.#tape.goTo(from);
    const found: Shown[] = [];
    let earlier: Shown | null = null;
    for (;;) {
      const packet = await this.#tape.reader.next();
      const tick = packet && tickOf(packet);
      if (packet && (tick === null || this.#tape.hides(packet))) continue;
      if (!packet || tick === null || (this.#tape.decodedAt(packet) ?? tick - this.#second) > to) break;
      const shown = { time: this.#time(tick), bytes: Buffer.from(packet.data ?? []) };
      if (tick >= from && tick <= to) found.push(shown);
      else if (tick < from && !(earlier && earlier.time > shown.time)) earlier = shown;
    }
    found.sort((a, b) => a.time - b.time);
    return earlier && !found.some(({ time }) => time <= since) ? [earlier, ...found] : found;
  }

  /**
   * Frames shown within each of the windows, in presentation order. The windows are in order and close together. If the decoder is
   * on its way to them, it goes on.
   * @param asked Windows, with `since` as of `packets`.
   */
  async frames(asked: readonly { window: Window; since: number }[]): Promise<Identified[number]['made'][]> {
    const windows = asked.map(({ window }) => this.#ticks(window));
    const stretch = await Stretch.leadingTo(this.#tape, least(windows.map(([begin]) => begin)), this.#second);
    await stretch.reach(greatest(windows.map(([, end]) => end)));
    const spans = asked.map(({ window, since }) => this.#widened(window, since, stretch));
    const from = least(spans.map(([begin]) => begin));
    const isWanted = (tick: number) => spans.some((span) => isWithin(tick, span));
    const shown = stretch.shown(from);
    const key = shown?.key ?? null;
    const before = this.#decoded;
    const goesOn = key !== null && before?.key === key && before.to < from;
    if (!goesOn) this.#decoder.flush();
    await this.#tape.goTo(key === null ? null : (shown?.from ?? null));
    const left = new Set(
      stretch.packets.flatMap(({ pts, hidden }) => (!hidden && isWanted(pts) ? [pts] : [])),
    );
    const found: { tick: number; cells: string }[] = [];
    const look = async (frame: Frame) => {
      const tick = Number(this.#decoder.tickOf(frame));
      if (!isWanted(tick)) return;
      left.delete(tick);
      found.push({ tick, cells: cellsOf(await this.#graph.filtered(frame)) });
    };
    this.#decoded = { key, packets: goesOn ? before.packets : 0, to: goesOn ? before.to : -Infinity };
    if (!(await this.#decode({ left, isWanted }, look))) {
      await this.#decoder.send(null, look);
      this.#decoded = null;
    }
    found.sort((a, b) => a.tick - b.tick);
    return spans.map((span) =>
      found.flatMap(({ tick, cells }) => (isWithin(tick, span) ? [{ time: this.#time(tick), cells }] : [])),
    );
  }

  /** A window from the last frame before it on, if none within it is shown by `since`. */
  #widened(window: Window, since: number, stretch: Stretch): Window {
    const [from, to] = this.#ticks(window);
    const [, tick] = this.#ticks([since, since]);
    return [Math.min(from, stretch.shown(tick)?.pts ?? from), to];
  }

  /** Decodes on until nothing is left. @returns false if the decoder may hold frames back that no further packet brings out. */
  async #decode(
    { left, isWanted }: { left: ReadonlySet<number>; isWanted: (tick: number) => boolean },
    look: (frame: Frame) => Promise<void>,
  ): Promise<boolean> {
    const decoded = this.#decoded;
    if (!decoded) throw new Error('the decoder has not begun');
    const { key } = decoded;
    const unsent = new Set(left);
    let begun = key === null;
    for (let [count, beyond] = [0, 0]; left.size > 0; ) {
      if (beyond > MOST_DELAY) return false;
      const packet = await this.#tape.reader.next();
      if (!packet) return false;
      const tick = tickOf(packet);
      begun ||= packet.isKeyframe && tick === key;
      if (!begun || (key !== null && tick !== null && tick < key)) continue;
      count += 1;
      if (count <= decoded.packets) continue;
      this.#decoder.spare(tick !== null && unsent.size > 0 && !isWanted(tick));
      await this.#decoder.send(packet, look);
      if (tick !== null && !this.#tape.hides(packet)) unsent.delete(tick);
      if (unsent.size === 0) beyond += 1;
      decoded.packets = count;
      decoded.to = Math.max(decoded.to, tick ?? Number.POSITIVE_INFINITY);
    }
    return true;
  }

  /** Ticks per second. */
  get #second(): number {
    const { num, den } = this.#tape.reader.timeBase;
    return Math.ceil(den / num);
  }

  #ticks([from, to]: Window): Window {
    const { num, den } = this.#tape.reader.timeBase;
    const tick = (time: number) => ((this.#origin + time) * den) / num;
    return [Math.ceil(tick(from)), Math.floor(tick(to))];
  }

  #time(tick: number): number {
    const { num, den } = this.#tape.reader.timeBase;
    return (tick * num) / den - this.#origin;
  }

  async close(): Promise<void> {
    this.#graph.close();
    this.#decoder.close();
    await this.#tape.close();
  }
}

const atLeast1 = (side: number) => Math.max(1, Math.round(side));

function uprightSize({ reader }: Tape, turned: readonly string[]): Size {
  const { width, height } = reader.stream.codecpar;
  const across = turned.filter((filter) => filter.startsWith('transpose')).length % 2 === 1;
  return across ? { width: height, height: width } : { width, height };
}

/** Filters for a region of `kept` pixels at the size `like`. A region that is not of whole pixels was cut out of a resized picture. */
function regionOf(crop: string, { width, height }: Region, kept: Size, like: Size): string[] {
  const isWhole = (side: number) => Math.abs(side - Math.round(side)) < 1e-3;
  if (!isWhole(kept.width) || !isWhole(kept.height))
    return [resized({ width: like.width / width, height: like.height / height }), crop];
  return [crop, ...(kept.width === like.width && kept.height === like.height ? [] : [resized(like)])];
}

const resized = ({ width, height }: Size) => `scale=${atLeast1(width)}:${atLeast1(height)}:flags=bicubic`;

const isWithin = (tick: number, [from, to]: Window) => tick >= from && tick <= to;

/** Base64 of 16 bits per cell, row by row. */
function cellsOf(frame: Frame): string {
  const [plane] = frame.data ?? [];
  const [stride = 0] = frame.linesize;
  if (!plane) throw new Error('a fingerprint frame has no picture');
  const width = CELLS.across * 2;
  const rows = Array.from({ length: CELLS.down }, (_, row) =>
    plane.subarray(row * stride, row * stride + width),
  );
  return Buffer.concat(rows).toString('base64');
}
