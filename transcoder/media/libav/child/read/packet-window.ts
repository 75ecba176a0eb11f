import { AV_NOPTS_VALUE } from 'node-av/constants';
import type { Packet } from 'node-av/lib';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { holdsDecodingTimes } from '../av.ts';
import { Recovery } from '../recovery-points.ts';
import { Reader } from './reader.ts';
import { isUnseen } from './unseen.ts';

/** A frame, its keyframe, and the seek position for it; null for the beginning. In ticks. */
export interface Shown {
  pts: number;
  key: number | null;
  from: number | null;
}

export interface Listed {
  pts: number;
  dts: number | null;
  duration: number;
  key: boolean;
  bytes: number;
  /** For a keyframe whose bytes were read: `right` is the tick from which its pictures decode correctly. */
  entry: { right: number | null } | null;
  /** Whether no frame of it is shown. */
  hidden: boolean;
}

/** Seconds before the packets that precede it at which no keyframe of the same recording is shown. */
const BACK = 0.5;

/** Presentation time of a packet; its decoding time if the container states no other. */
export function tickOf({ pts, dts }: Pick<Packet, 'pts' | 'dts'>): number | null {
  return known(pts) ?? known(dts);
}

function known(tick: bigint): number | null {
  return tick === AV_NOPTS_VALUE ? null : Number(tick);
}

/** A stream that can be rewound. */
export class Tape {
  #of: { source: SourceParts; stream: number } | null;
  reader: Reader;
  /** Whether packet bytes are available, not just times. */
  readonly #bytes: boolean;
  #fresh = true;

  private constructor(of: { source: SourceParts; stream: number } | null, reader: Reader, bytes: boolean) {
    this.#of = of;
    this.reader = reader;
    this.#bytes = bytes;
  }

  static async open(of: { source: SourceParts; stream: number }): Promise<Tape> {
    return new Tape(of, await Reader.ofPackets(of), true);
  }

  /** For packet times only: their bytes may be missing. */
  static async ofTimes(of: { source: SourceParts; stream: number }): Promise<Tape> {
    return new Tape(of, await Reader.ofPackets(of), false);
  }

  /** Wraps a reader that is shared with others. */
  static over(reader: Reader): Tape {
    return new Tape(null, reader, true);
  }

  /** Decoding time of a packet; null if the container stores none, because libavformat's estimate may be too late. */
  decodedAt({ dts }: Pick<Packet, 'dts'>): number | null {
    return holdsDecodingTimes(this.reader.format) ? known(dts) : null;
  }

  /** Whether no frame of a packet is shown: an edit list hides it, or others only refer to it. */
  hides(packet: Packet): boolean {
    return isUnseen(packet, this.reader.stream);
  }

  /** Tracks where the keyframes from here on decode correctly; null if their bytes may be missing. */
  recovery(): Recovery | null {
    return this.#bytes ? new Recovery(this.reader.stream) : null;
  }

  /**
   * Seeks to the keyframe at or before a tick. Null reopens the file, because not every demuxer can seek to the beginning, and neither
   * can a GIF or a Matroska file without an index seek anywhere.
   */
  async goTo(tick: number | null): Promise<void> {
    if (!this.#of) await this.reader.seek(tick ?? Number.MIN_SAFE_INTEGER);
    else if (tick === null ? !this.#fresh : !(await this.reader.trySeek(tick))) {
      await this.reader.close();
      this.reader = await Reader.ofPackets(this.#of);
    }
    this.#fresh = false;
  }

  async close(): Promise<void> {
    await this.reader.close();
  }
}

/** Consecutive packets of a stream. */
export class Stretch {
  #tape: Tape;
  #from: number | null;
  #slack: number;
  #recovery: Recovery | null;
  #ended = false;
  #latest = Number.NEGATIVE_INFINITY;
  /** Whether another recording begins within it, whose clock begins again. */
  restarts = false;
  readonly packets: Listed[] = [];

  /** @param slack Largest delay in ticks between decoding and presentation, for streams without decoding times. */
  private constructor(tape: Tape, from: number | null, slack: number) {
    this.#tape = tape;
    this.#from = from;
    this.#slack = slack;
    this.#recovery = tape.recovery();
  }

  static async from(tape: Tape, tick: number | null, slack: number): Promise<Stretch> {
    await tape.goTo(tick);
    return new Stretch(tape, tick, slack);
  }

  /**
   * Starts early enough that the frame at a tick decodes correctly: the preceding keyframe may start a refresh that ends after
   * the tick.
   */
  static async leadingTo(tape: Tape, tick: number, slack: number): Promise<Stretch> {
    let [from, back, first]: [number | null, number, number | null] = [tick, slack, null];
    for (;;) {
      const stretch: Stretch = await Stretch.from(tape, from, slack);
      await stretch.reach(tick);
      const shown = stretch.shown(tick);
      // Some containers seek by decoding time, which may lead to a keyframe that is shown too late.
      if (from === null || (shown && shown.key !== null && shown.pts <= tick)) return stretch;
      const begins = stretch.packets[0]?.pts ?? null;
      from = begins === null || begins === first ? null : begins - back;
      first = begins;
      back *= 2;
    }
  }

  /** Reads on until no frame shown at or before this tick can follow. */
  async reach(tick: number): Promise<void> {
    const last = this.packets.at(-1);
    while (!this.#ended && !(last && this.#passed(last, tick))) {
      const packet = await this.#tape.reader.next();
      if (!packet) this.#ended = true;
      const listed = packet && listedOf(this.#tape, packet, this.#recovery);
      if (!listed) continue;
      this.packets.push(listed);
      this.#follow(listed);
      if (this.#passed(listed, tick)) return;
    }
  }

  /** The frame shown at a tick, or the first one; null if nothing is shown. */
  shown(tick: number): Shown | null {
    let [at, first]: (Listed | null)[] = [null, null];
    for (const packet of this.packets) {
      if (packet.hidden) continue;
      if (!first || packet.pts < first.pts) first = packet;
      if (packet.pts <= tick && (!at || packet.pts > at.pts)) at = packet;
    }
    const frame = at ?? first;
    if (!frame) return null;
    return { pts: frame.pts, key: this.entryTo(frame.pts)?.pts ?? null, from: this.#from };
  }

  /** The last keyframe from which the frame at a tick decodes correctly; null if there is none. */
  entryTo(tick: number): Listed | null {
    let latest: Listed | null = null;
    for (const packet of this.packets) {
      const right = packet.entry?.right ?? null;
      if (right !== null && right <= tick) latest = packet;
      if (packet.pts === tick && !packet.hidden) break;
    }
    return latest;
  }

  /** The latest presentation time. */
  get end(): number | null {
    return this.packets.reduce<number | null>(
      (latest, { pts, hidden }) => (hidden || (latest !== null && latest >= pts) ? latest : pts),
      null,
    );
  }

  /** Decoding time of the last packet read. */
  get position(): number {
    const last = this.packets.at(-1);
    return last ? (last.dts ?? last.pts) : Number.NEGATIVE_INFINITY;
  }

  #follow({ pts, key }: Listed): void {
    const { num, den } = this.#tape.reader.timeBase;
    this.restarts ||= key && ((this.#latest - pts) * num) / den > BACK;
    this.#latest = Math.max(this.#latest, pts);
  }

  #passed({ pts, dts, hidden }: Listed, tick: number): boolean {
    return !hidden && (dts ?? pts - this.#slack) > tick;
  }
}

function listedOf(tape: Tape, packet: Packet, recovery: Recovery | null): Listed | null {
  const pts = tickOf(packet);
  if (pts === null) return null;
  const key = packet.isKeyframe;
  return {
    pts,
    dts: tape.decodedAt(packet),
    duration: Number(packet.duration),
    key,
    bytes: packet.size,
    entry: recovery ? recovery.follow(packet, pts) : key ? { right: pts } : null,
    // An empty packet repeats the picture before it, and decodes to nothing.
    hidden: tape.hides(packet) || packet.size === 0,
  };
}
