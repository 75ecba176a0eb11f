import { AV_NOPTS_VALUE, AV_PKT_FLAG_DISCARD } from 'node-av/constants';
import type { Packet } from 'node-av/lib';
import type { SourceParts } from '../../media-source.ts';
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
  #of: { source: SourceParts; stream: number };
  reader: Reader;
  #fresh = true;

  private constructor(of: { source: SourceParts; stream: number }, reader: Reader) {
    this.#of = of;
    this.reader = reader;
  }

  static async open(of: { source: SourceParts; stream: number }): Promise<Tape> {
    return new Tape(of, await Reader.ofPackets(of));
  }

  /** To the keyframe at or before a tick; null for the beginning, which not every demuxer can seek to. */
  async goTo(tick: number | null): Promise<void> {
    if (tick !== null) await this.reader.seek(tick);
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
  #ended = false;
  readonly packets: Listed[] = [];

  /** @param slack Ticks within which a frame is shown after it could be decoded, where decoding times are missing. */
  private constructor(tape: Tape, from: number | null, slack: number) {
    this.#tape = tape;
    this.#from = from;
    this.#slack = slack;
  }

  static async from(tape: Tape, tick: number | null, slack: number): Promise<Stretch> {
    await tape.goTo(tick);
    return new Stretch(tape, tick, slack);
  }

  /** Reads on until no frame shown at or before this tick can follow. */
  async reach(tick: number): Promise<void> {
    const last = this.packets.at(-1);
    while (!this.#ended && !(last && this.#passed(last, tick))) {
      const packet = await this.#tape.reader.next();
      if (!packet) this.#ended = true;
      const listed = packet && listedOf(packet);
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
    let key: number | null = null;
    for (const packet of this.packets) {
      if (packet.key && packet.pts <= frame.pts && packet.pts > (key ?? Number.NEGATIVE_INFINITY))
        key = packet.pts;
    }
    return { pts: frame.pts, key, from: this.#from };
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

function listedOf(packet: Packet): Listed | null {
  const pts = tickOf(packet);
  if (pts === null) return null;
  return {
    pts,
    dts: known(packet.dts),
    duration: Number(packet.duration),
    key: packet.isKeyframe,
    hidden: packet.hasFlags(AV_PKT_FLAG_DISCARD),
  };
}
