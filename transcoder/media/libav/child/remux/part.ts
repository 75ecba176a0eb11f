import { isPicture } from '../../../../bitstream/transport/moved-streams.ts';
import { type ProgramTable, pidOf } from '../../../../bitstream/transport/program-tables.ts';
import type { Span } from '../../../../model/source/byte-ranges.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import type { Part, PartRequest } from '../../protocol.ts';
import { type ClockAt, lastOf, referenceAt, type Sample } from '../read/clock-samples.ts';
import { SourceBytes } from '../read/source-bytes.ts';
import { packetsIn, type Survey, surveyOf } from './transport-stream.ts';

/** Seconds from one place to the next at which the clock is read first. */
const STEP = 6;
/** Less than a step ahead of 10 s, from which on a picture or sound belongs to another recording (see `ClockJumps`). */
const STEADY = 8;
/** Places that are read at a time. */
const AT_ONCE = 4;
/** Least bytes from one place to the next: where there are fewer, reading all of them costs little more than looking. */
const LEAST_STEP = 256 * 1024;
/** Bytes in which a clock and a table are sent at least once, up to 80 Mbit/s. */
const REPEATED = 1 << 20;
/** Seconds from the start in which each stream begins. */
const HEAD = 12;
/** Seconds in which to look for a picture with which decoding can begin. */
const ENTRY = 10;
/** Most seconds that a stream is ahead of the clock. */
const DELAY = 15;
/** Largest part of a source that is worth reading by itself. */
const LARGEST = 1 / 2;

/**
 * Finds the bytes of a transport stream that hold a range, from its clock at many places. Between two of them, so little time passes that
 * the clock cannot jump ahead as far as it does where another recording begins. Null if the clock is not seen to be the same from the
 * start to the range, if streams change or packets are sent twice in what would be read or at the end, which tells how long the source
 * is, or if that is most of the source.
 */
export async function part({ source, origin, start, end }: PartRequest): Promise<Part | null> {
  const clockAt = await referenceAt(source, { most: REPEATED, on: null });
  if (!clockAt) return null;
  const bytes = new SourceBytes(source);
  try {
    const samples = await samplesTo(bytes, clockAt, [origin + start, origin + end + ENTRY]);
    const [first] = samples ?? [];
    if (!samples || !first || Math.abs(origin - first.clock) > DELAY) return null;
    const at = (clock: number) => samples.find((sample) => sample.clock >= clock)?.at ?? source.bytes;
    const ahead = samples.filter(({ clock }) => clock <= origin + start);
    if (await overlaps(bytes, clockAt, ahead)) return null;
    const early = ahead.at(-1)?.at ?? 0;
    const head: Span = [0, at(first.clock + HEAD)];
    const begun = await surveyOf(source, head);
    const pids = begun.first?.streams.filter(isPicture).map(({ pid }) => pid) ?? [];
    // Where decoding can begin, libav soon sees what a part holds, and no picture ahead of it is missing.
    const entryAt = async (second: number, place: number) =>
      (await entryIn(source, [place, at(second + ENTRY)], pids)) ?? place;
    const begins = early > head[1] ? await entryAt(origin + start, early) : early;
    const last = Math.max(origin + end, first.clock + HEAD);
    const ends = await entryAt(last, at(last));
    const found: Part = begins > head[1] ? { head, part: [begins, ends] } : { head: null, part: [0, ends] };
    const length = (found.head ? head[1] : 0) + found.part[1] - found.part[0];
    if (length > source.bytes * LARGEST) return null;
    const tail: Span = [source.bytes - REPEATED, source.bytes];
    const others = [await surveyOf(source, found.part), await surveyOf(source, tail)];
    return areAlike([begun, ...others]) ? found : null;
  } finally {
    bytes.close();
  }
}

/** The clock at places up to the end of a range; null if it jumps or is not found, or if the range is most of the source. */
async function samplesTo(
  bytes: SourceBytes,
  clockAt: ClockAt,
  [start, until]: readonly [number, number],
): Promise<Sample[] | null> {
  const { size } = bytes;
  const [first, last] = [await clockAt(bytes, 0, size), await lastOf(bytes, clockAt)];
  if (!first || !last || last.clock <= first.clock) return null;
  const seconds = last.clock - first.clock;
  if (Math.min(until, last.clock) - Math.max(start, first.clock) > seconds * LARGEST) return null;
  const step = Math.floor((last.at / seconds) * STEP);
  if (step < LEAST_STEP) return null;
  const samples = [first];
  for (let from = step; from < last.at; from += AT_ONCE * step) {
    const places = Array.from({ length: AT_ONCE }, (_, index) => from + index * step);
    const wanted = places.filter((place) => place < last.at);
    const found = await Promise.all(wanted.map((place) => clockAt(bytes, place, size)));
    for (const sample of found) {
      const before = samples.at(-1);
      if (!before || !sample || !(await isSteady(bytes, clockAt, [before, sample]))) return null;
      samples.push(sample);
      if (sample.clock >= until) return samples;
    }
  }
  return samples;
}

/** Whether the clock goes on from one place to another, without a jump to another recording. */
async function isSteady(
  bytes: SourceBytes,
  clockAt: ClockAt,
  [from, to]: readonly [Sample, Sample],
): Promise<boolean> {
  const passed = to.clock - from.clock;
  if (passed < 0) return false;
  if (passed < STEADY) return true;
  const middle = Math.floor((from.at + to.at) / 2);
  const between = middle > from.at ? await clockAt(bytes, middle, to.at) : null;
  if (!between) return false;
  return (await isSteady(bytes, clockAt, [from, between])) && (await isSteady(bytes, clockAt, [between, to]));
}

/** A span with this many times the usual bytes per second may hold the end of a recording that overlaps with the next one. */
const DENSE = 1.25;
/** Dense spans to look at, and places in each. */
const MOST_DENSE = 8;
const MOST_PLACES = 4;

/**
 * Whether the clock goes back where the source has most bytes for its seconds, as it does where recordings overlap by a few seconds. In a
 * stream whose bitrate varies much, an overlap may be missed.
 */
async function overlaps(bytes: SourceBytes, clockAt: ClockAt, samples: readonly Sample[]): Promise<boolean> {
  const spans = samples.slice(1).flatMap((to, index): [Sample, Sample][] => {
    const from = samples[index];
    return from ? [[from, to]] : [];
  });
  const ordered = spans.toSorted((a, b) => density(b) - density(a));
  const usual = ordered[Math.floor(ordered.length / 2)];
  if (!usual) return false;
  const dense = ordered.filter((span) => density(span) > DENSE * density(usual)).slice(0, MOST_DENSE);
  for (let [from, to] of dense) {
    for (let place = 0; place < MOST_PLACES; place++) {
      const middle = await clockAt(bytes, Math.floor((from.at + to.at) / 2), to.at);
      if (!middle) break;
      if (middle.clock < from.clock || to.clock < middle.clock) return true;
      if (density([from, middle]) > density([middle, to])) to = middle;
      else from = middle;
    }
  }
  return false;
}

/** Bytes per second. */
const density = ([from, to]: readonly [Sample, Sample]): number =>
  (to.at - from.at) / Math.max(0.001, to.clock - from.clock);

/**
 * Byte at which the first packet begins that says that decoding can begin there (ISO/IEC 13818-1, 2.4.3.5); null if none does.
 * @param pids Of pictures: packets of sound say so all the time.
 */
async function entryIn(source: SourceParts, span: Span, pids: readonly number[]): Promise<number | null> {
  for await (const { packets, places } of packetsIn(source, span)) {
    const found = packets.findIndex((packet) => pids.includes(pidOf(packet)) && canBegin(packet));
    if (found >= 0) return places[found] ?? null;
  }
  return null;
}

const canBegin = (packet: Buffer): boolean =>
  ((packet[3] ?? 0) & ADAPTATION) !== 0 && (packet[4] ?? 0) > 0 && ((packet[5] ?? 0) & RANDOM_ACCESS) !== 0;

const ADAPTATION = 0x20;
const RANDOM_ACCESS = 0x40;

/**
 * Whether parts of a transport stream have the same streams throughout, and no packet twice. Of several programs, the one that a part
 * begins with would come first.
 */
function areAlike(surveys: readonly Survey[]): boolean {
  const tables = surveys.map(({ moved, repeats, several, first }) =>
    moved || repeats || several || !first ? null : lineOf(first),
  );
  return tables.every((table) => table !== null && table === tables[0]);
}

const lineOf = ({ program, clockPid, streams }: ProgramTable): string =>
  JSON.stringify([program, clockPid, streams.map(({ pid, type }) => [pid, type])]);
