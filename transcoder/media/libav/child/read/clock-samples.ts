import type { Demuxer } from '../../../../../schema/media/demuxers.ts';
import { elementAt } from '../../../../bitstream/ebml.ts';
import { CLOCK_SECONDS, clocksIn } from '../../../../bitstream/transport/clocks.ts';
import { UNIT_BYTES, unitIn } from '../../../../model/numbers/late-unit.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { SourceBytes } from './source-bytes.ts';

/** A byte of a source, and the seconds that its clock shows from there on. */
export interface Sample {
  at: number;
  clock: number;
}

/** Reads the first clock at or behind a byte and before another; null if there is none. */
export type ClockAt = (bytes: SourceBytes, at: number, to: number) => Promise<Sample | null>;

/** Places to begin with, evenly spaced, and those where the clock makes least progress. */
const FIRST = 8;
const MORE = 8;
/** Bytes within which the clock is not looked for any further. */
const NEAR = 256 * 1024;
const READ = 64 * 1024;
/** Bytes before the end in which to look for the last clock, and the largest part of a source that they may be. */
const LAST = [256 * 1024, 2 * 1024 * 1024, 16 * 1024 * 1024];
const LAST_PART = 1 / 16;
/** Largest part of a source in which one clock is looked for: clusters of several megabytes would otherwise cost all of it. */
const PART = 1 / 64;
/** Seconds that a clock may go back within a recording, as packets are not in the order of their times. */
const BACK = 0.5;
/** A part of a source may hold the end of a recording from this many times the usual bytes per second on. */
const DENSE = 1.25;

/**
 * Whether the clock of a source goes back somewhere, as it does if recordings were joined byte by byte. Only a few places are read: a
 * recording that is much shorter than the others may be missed.
 */
export async function clockGoesBack(source: SourceParts): Promise<boolean> {
  const clockAt = await clockOf(source);
  if (!clockAt) return false;
  const bytes = new SourceBytes(source);
  try {
    const { size } = bytes;
    const step = size / FIRST;
    const near = (from: number, to: number) =>
      clockAt(bytes, from, Math.min(to, from + Math.max(READ, Math.floor(size * PART))));
    const samples: Sample[] = [];
    const take = (sample: Sample | null) => {
      if (sample && !samples.some(({ at }) => at === sample.at)) samples.push(sample);
      samples.sort((a, b) => a.at - b.at);
      return isBack(samples);
    };
    for (let from = 0; from < size; from += step)
      if (take(await near(Math.floor(from), Math.floor(from + step)))) return true;
    if (take(await lastOf(bytes, clockAt))) return true;
    for (let count = 0; count < MORE; count++) {
      const span = slowest(samples);
      if (!span) return false;
      const middle = Math.floor((span[0] + span[1]) / 2);
      const sample = (await near(middle, span[1])) ?? (await near(span[0] + 1, middle));
      if (!sample || samples.some(({ at }) => at === sample.at)) return false;
      if (take(sample)) return true;
    }
    return false;
  } finally {
    bytes.close();
  }
}

async function clockOf({ format, ...source }: SourceParts): Promise<ClockAt | null> {
  const clocks: Partial<Record<Demuxer, () => ClockAt | Promise<ClockAt | null>>> = {
    matroska: () => clusterAt,
    mpegts: () => referenceAt({ format, ...source }),
  };
  return (await clocks[format]?.()) ?? null;
}

/** Clusters state their time in milliseconds (RFC 9559, 5.1.3.1), apart from rare files with other ticks. */
async function clusterAt(bytes: SourceBytes, from: number, to: number): Promise<Sample | null> {
  for (let at = from; at < to; at += READ) {
    const read = await bytes.all([at, Math.min(bytes.size, at + READ + UNIT_BYTES)], false);
    const found = unitIn(read, 'matroska');
    const cluster = found === null ? null : elementAt(read, found);
    if (found === null || !cluster || at + found >= to) continue;
    const time = timeIn(read, cluster.body);
    if (time?.id !== TIMESTAMP || !time.size || time.size > 6) continue;
    if (time.body + time.size > read.length) continue;
    return { at: at + found, clock: read.readUIntBE(time.body, time.size) / 1000 };
  }
  return null;
}

const TIMESTAMP = 0xe7;
/** Void, CRC-32, PrevSize and Position may come before it. */
const ahead: readonly number[] = [0xec, 0xbf, 0xab, 0xa7];

/** The timestamp of a cluster, or the first other element in it. */
function timeIn(read: Buffer, body: number) {
  let element = elementAt(read, body);
  while (element?.size && ahead.includes(element.id)) element = elementAt(read, element.body + element.size);
  return element;
}

/**
 * Reads the clock of a transport stream. Programs may have clocks of their own: the one is followed that comes first.
 * @param most Bytes in which to look for it.
 * @param on How far to read ahead, as in `bring`.
 */
export async function referenceAt(
  source: SourceParts,
  { most, on }: { most: number; on: boolean | null } = { most: 4 * READ, on: false },
): Promise<ClockAt | null> {
  const bytes = new SourceBytes(source);
  try {
    const [first] = clocksIn(await bytes.all([0, Math.min(bytes.size, 4 * READ)])).keys();
    if (first === undefined) return null;
    return async (of, from, to) => {
      const end = Math.min(to, from + most);
      for (let length = READ; ; length *= 2) {
        const until = Math.min(end, from + length);
        const clock = clocksIn(await of.all([from, until], on)).get(first);
        if (clock !== undefined) return { at: from, clock };
        if (until === end) return null;
      }
    };
  } finally {
    bytes.close();
  }
}

/** The last clock of a source. */
export async function lastOf(bytes: SourceBytes, clockAt: ClockAt): Promise<Sample | null> {
  for (const window of LAST.filter((window, index) => index === 0 || window <= bytes.size * LAST_PART)) {
    let last: Sample | null = null;
    for (let at = Math.max(0, bytes.size - window); ; at = last.at + READ) {
      const next: Sample | null = await clockAt(bytes, at, bytes.size);
      if (!next) break;
      last = next;
      if (bytes.size - last.at < NEAR) return last;
    }
    if (last) return last;
  }
  return null;
}

/** From one sample to the next. A clock that reaches its greatest value begins again by itself. */
function progress(from: Sample | undefined, to: Sample | undefined): number {
  if (!from || !to) return 0;
  const seconds = to.clock - from.clock;
  return seconds < -CLOCK_SECONDS / 2 ? seconds + CLOCK_SECONDS : seconds;
}

const isBack = (samples: readonly Sample[]): boolean =>
  samples.some((sample, index) => index > 0 && progress(samples[index - 1], sample) < -BACK);

/** The span in which the clock makes least progress for its bytes, if that is less than in most. */
function slowest(samples: readonly Sample[]): [number, number] | null {
  const spans = samples.slice(1).map((sample, index) => {
    const before = samples[index] ?? sample;
    const length = sample.at - before.at;
    return { from: before.at, to: sample.at, density: length / Math.max(0.001, progress(before, sample)) };
  });
  const ordered = spans.toSorted((a, b) => a.density - b.density);
  const usual = ordered[Math.floor(ordered.length / 2)]?.density ?? 0;
  const dense = ordered.findLast(({ from, to }) => to - from > NEAR);
  return dense && dense.density > DENSE * usual ? [dense.from, dense.to] : null;
}
