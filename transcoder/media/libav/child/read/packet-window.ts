import { AV_NOPTS_VALUE, AV_PKT_FLAG_DISCARD } from 'node-av/constants';
import type { Packet } from 'node-av/lib';
import type { SourceParts } from '../../../../model/media-source.ts';
import { holdsDecodingTimes } from '../av.ts';
import { Recovery } from '../recovery-points.ts';
import { Reader } from './reader.ts';

/** A frame, the keyframe that its decoding begins at, and from where that is read; null for the beginning. Ticks. */
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
  /** Of a keyframe whose bytes are read, when pictures are right from where decoding begins at it. */
  entry: { right: number | null } | null;
  /** By an edit list. */
  hidden: boolean;
}

/** When a packet is shown; where the container does not say, when it is decoded. */
export function tickOf({ pts, dts }: Pick<Packet, 'pts' | 'dts'>): number | null {
  return known(pts) ?? known(dts);
}

function known(tick: bigint): number | null {
  return tick === AV_NOPTS_VALUE ? null : Number(tick);
}

/** A stream that can be wound back. */
export class Tape {
  #of: { source: SourceParts; stream: number } | null;
  reader: Reader;
  /** Whether packets are more than their times: their bytes are here. */
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

  /** For the times of packets alone: their bytes may be missing. */
  static async ofTimes(of: { source: SourceParts; stream: number }): Promise<Tape> {
    return new Tape(of, await Reader.ofPackets(of), false);
  }

  /** Of a reader that others read on with. */
  static over(reader: Reader): Tape {
    return new Tape(null, reader, true);
  }

  /** When a packet is decoded; null where the container does not say: what libavformat makes up may be later than that. */
  decodedAt({ dts }: Pick<Packet, 'dts'>): number | null {
    return holdsDecodingTimes(this.reader.format) ? known(dts) : null;
  }

  /** What the keyframes from here on are worth; null where their bytes may be missing. */
  recovery(): Recovery | null {
    return this.#bytes ? new Recovery(this.reader.stream) : null;
  }

  /** To the keyframe at or before a tick; null for the beginning, which not every demuxer can seek to. */
  async goTo(tick: number | null): Promise<void> {
    if (tick !== null) await this.reader.seek(tick);
    else if (!this.#of) await this.reader.seek(Number.MIN_SAFE_INTEGER);
    else if (!this.#fresh) {
      await this.reader.close();
      this.reader = await Reader.ofPackets(this.#of);
    }
    this.#fresh = false;
  }

  async close(): Promise<void> {
    await this.reader.close();
  }
}

/** Packets of a stream, listed without a gap. */
export class Stretch {
  #tape: Tape;
  #from: number | null;
  #slack: number;
  #recovery: Recovery | null;
  #ended = false;
  readonly packets: Listed[] = [];

  /** @param slack Ticks within which a frame is shown after it could be decoded, where decoding times are missing. */
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
   * From far enough before a tick that what is shown then can be decoded: the keyframe before it may be the beginning of
   * a refresh that ends behind it.
   */
  static async leadingTo(tape: Tape, tick: number, slack: number): Promise<Stretch> {
    let [from, back, first]: [number | null, number, number | null] = [tick, slack, null];
    for (;;) {
      const stretch: Stretch = await Stretch.from(tape, from, slack);
      await stretch.reach(tick);
      const shown = stretch.shown(tick);
      // A seek goes by decoding times in some containers, and may lead to a keyframe that is shown later.
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
      const listed = packet && listedOf(packet, this.#tape.decodedAt(packet), this.#recovery);
      if (!listed) continue;
      this.packets.push(listed);
      if (this.#passed(listed, tick)) return;
    }
  }

  /** The frame shown at a tick, or the first one; null where nothing is shown. */
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

  /** The latest keyframe from which the frame at a tick is decoded right; null where there is none. */
  entryTo(tick: number): Listed | null {
    let latest: Listed | null = null;
    for (const packet of this.packets) {
      const right = packet.entry?.right ?? null;
      if (right !== null && right <= tick && packet.pts > (latest?.pts ?? Number.NEGATIVE_INFINITY))
        latest = packet;
    }
    return latest;
  }

  /** The latest tick at which a frame is shown. */
  get end(): number | null {
    return this.packets.reduce<number | null>(
      (latest, { pts, hidden }) => (hidden || (latest !== null && latest >= pts) ? latest : pts),
      null,
    );
  }

  /** When the last packet read is decoded. */
  get position(): number {
    const last = this.packets.at(-1);
    return last ? (last.dts ?? last.pts) : Number.NEGATIVE_INFINITY;
  }

  #passed({ pts, dts }: Listed, tick: number): boolean {
    return (dts ?? pts - this.#slack) > tick;
  }
}

function listedOf(packet: Packet, dts: number | null, recovery: Recovery | null): Listed | null {
  const pts = tickOf(packet);
  if (pts === null) return null;
  const key = packet.isKeyframe;
  return {
    pts,
    dts,
    duration: Number(packet.duration),
    key,
    bytes: packet.size,
    entry: recovery ? recovery.follow(packet, pts) : key ? { right: pts } : null,
    hidden: packet.hasFlags(AV_PKT_FLAG_DISCARD),
  };
}
