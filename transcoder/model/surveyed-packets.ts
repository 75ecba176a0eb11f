import { z } from 'zod';

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

const ticks = z.array(z.number().int());
/** Of a list of packets; `marks` has a character for each. Two hours are 5 MB of JSON, and 15 MB as a list of objects. */
const columns = z.object({ pts: ticks, dts: ticks, duration: ticks, marks: z.string() });
type Columns = z.output<typeof columns>;

/** Packets as they are sent between processes. */
export const surveyedPackets = columns
  .refine(({ pts, ...others }) => Object.values(others).every(({ length }) => length === pts.length))
  .transform(packetsIn);

export function columnsOf(packets: readonly SurveyedPacket[]): Columns {
  return {
    pts: packets.map(({ pts }) => pts),
    dts: packets.map(({ dts }) => dts),
    duration: packets.map(({ duration }) => duration),
    marks: packets.map(markOf).join(''),
  };
}

function packetsIn({ pts, dts, duration, marks }: Columns): SurveyedPacket[] {
  return pts.map((time, at) => ({
    ...{ pts: time, dts: dts[at] ?? 0, duration: duration[at] ?? 0 },
    ...marked(marks[at] ?? '0'),
  }));
}

const BASE = 16;
const [KEY, HIDDEN, ENTRY] = [1, 2, 4];

function markOf({ key, entry, hidden }: SurveyedPacket): string {
  const which = entry === null ? 0 : entries.indexOf(entry) + 1;
  return ((key ? KEY : 0) + (hidden ? HIDDEN : 0) + ENTRY * which).toString(BASE);
}

function marked(mark: string): Pick<SurveyedPacket, 'key' | 'entry' | 'hidden'> {
  const bits = Number.parseInt(mark, BASE);
  const entry = entries[Math.floor(bits / ENTRY) - 1] ?? null;
  return { key: (bits & KEY) > 0, entry, hidden: (bits & HIDDEN) > 0 };
}
