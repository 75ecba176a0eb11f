import { z } from 'zod';
import { sentTicks } from '../numbers/sent-ticks.ts';
import { Ticks } from '../numbers/ticks.ts';

const entries = ['closed', 'open'] as const;

/** A packet of a GOP survey, in ticks. */
export interface SurveyedPacket {
  pts: number;
  dts: number;
  duration: number;
  /** Whether it is flagged as a keyframe. */
  key: boolean;
  /** How a decoder can begin with it. */
  entry: (typeof entries)[number] | null;
  /** Whether an edit list hides it. */
  hidden: boolean;
}

interface Columns {
  pts: Ticks;
  dts: Ticks;
  duration: Ticks;
  /** The other properties of each packet, in bits. */
  marks: Uint8Array;
}

const [KEY, HIDDEN, ENTRY] = [1, 2, 4];

/** Packets of a GOP survey in decoding order, in columns: two hours are 5 MB, and 20 MB as a list of objects. */
export class SurveyedPackets {
  readonly pts: Ticks;
  readonly dts: Ticks;
  readonly duration: Ticks;
  readonly #marks: Uint8Array;

  constructor({ pts, dts, duration, marks }: Columns) {
    this.pts = pts;
    this.dts = dts;
    this.duration = duration;
    this.#marks = marks;
  }

  static of(packets: readonly SurveyedPacket[]): SurveyedPackets {
    const listed = new PacketListing();
    for (const packet of packets) listed.add(packet);
    return listed.packets;
  }

  get length(): number {
    return this.pts.length;
  }

  isKey(index: number): boolean {
    return ((this.#marks[index] ?? 0) & KEY) > 0;
  }

  isHidden(index: number): boolean {
    return ((this.#marks[index] ?? 0) & HIDDEN) > 0;
  }

  entryAt(index: number): SurveyedPacket['entry'] {
    return entries[Math.floor((this.#marks[index] ?? 0) / ENTRY) - 1] ?? null;
  }

  /** The same memory, from one index up to another. */
  part(from: number, to: number): SurveyedPackets {
    const [begin, end] = [Math.min(from, this.length), Math.min(to, this.length)];
    return new SurveyedPackets({
      pts: this.pts.part(begin, end),
      dts: this.dts.part(begin, end),
      duration: this.duration.part(begin, end),
      marks: this.#marks.subarray(begin, end),
    });
  }

  toJSON(): unknown {
    const { pts, dts, duration } = this;
    return { pts, dts, duration, marks: Buffer.from(this.#marks).toString('base64') };
  }
}

/** Packets that are still being listed. */
export class PacketListing {
  readonly #pts: number[] = [];
  readonly #dts: number[] = [];
  readonly #duration: number[] = [];
  readonly #marks: number[] = [];

  add({ pts, dts, duration, key, entry, hidden }: SurveyedPacket): void {
    this.#pts.push(pts);
    this.#dts.push(dts);
    this.#duration.push(duration);
    const which = entry === null ? 0 : entries.indexOf(entry) + 1;
    this.#marks.push((key ? KEY : 0) + (hidden ? HIDDEN : 0) + ENTRY * which);
  }

  get packets(): SurveyedPackets {
    return new SurveyedPackets({
      pts: new Ticks(this.#pts),
      dts: new Ticks(this.#dts),
      duration: new Ticks(this.#duration),
      marks: Uint8Array.from(this.#marks),
    });
  }
}

const columns = z.object({
  ...{ pts: sentTicks, dts: sentTicks, duration: sentTicks },
  marks: z.string().transform((text) => new Uint8Array(Buffer.from(text, 'base64'))),
});

/** Packets as they are sent between processes. */
export const surveyedPackets = z
  .instanceof(SurveyedPackets)
  .or(
    columns
      .refine(({ pts, ...others }) => Object.values(others).every(({ length }) => length === pts.length))
      .transform((parts) => new SurveyedPackets(parts)),
  );
