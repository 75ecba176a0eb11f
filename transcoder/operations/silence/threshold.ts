import type { Levels } from '../../model/plan.ts';

/** Consecutive 10 ms windows of the level curve that are all audible or all silent. */
export interface Run {
  start: number;
  end: number;
  heard: boolean;
}

/** In windows, `end` exclusive. */
export type WindowSpan = Omit<Run, 'heard'>;

export const WINDOW = 0.01;

const FLOOR_DB = -90;
const AUTO = { above: 12, least: -60, most: -24 };
/** The peak of 480 samples of noise varies by a few dB between windows. */
const PEAKS_ABOVE = 6;

export const decibels = (amplitude: number) =>
  amplitude <= 0 ? FLOOR_DB : Math.max(FLOOR_DB, 20 * Math.log10(amplitude));

const percentile = (values: Float32Array, share: number) => {
  const sorted = values.slice().sort();
  return decibels(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
};

export const noiseFloor = (levels: Levels) => percentile(levels.rms, 0.1);

/** Of a sound: the threshold of all of it, and that of each window, in dBFS. */
export interface Thresholds {
  whole: number;
  at(window: number): number;
}

export const sameEverywhere = (thresholdDb: number): Thresholds => ({
  whole: thresholdDb,
  at: () => thresholdDb,
});

/** Windows of a block. Its noise is measured together with both neighbouring blocks. */
const BLOCK = 3000;

/**
 * Above the noise and its peaks, but below loud parts: continuous sound is never silence, however even it is. The noise is
 * measured in the 90 seconds around a window. If nothing there is louder than the noise, the threshold of the whole sound
 * distinguishes a long pause from a long sound.
 */
export function adaptiveThresholds(levels: Levels): Thresholds {
  const whole = bounded(Math.min(noiseIn(levels), loudIn(levels)));
  const blocks = Array.from({ length: Math.ceil(levels.peak.length / BLOCK) }, (_, block) => {
    const [from, to] = [Math.max(0, (block - 1) * BLOCK), (block + 2) * BLOCK];
    const around = { peak: levels.peak.subarray(from, to), rms: levels.rms.subarray(from, to) };
    const noise = noiseIn(around);
    return noise <= loudIn(around) ? bounded(noise) : whole;
  });
  return { whole, at: (window) => blocks[Math.floor(window / BLOCK)] ?? whole };
}

const noiseIn = (levels: Levels) =>
  Math.max(noiseFloor(levels) + AUTO.above, percentile(levels.peak, 0.1) + PEAKS_ABOVE);
const loudIn = ({ peak }: Levels) => percentile(peak, 0.99) - PEAKS_ABOVE;
const bounded = (thresholdDb: number) => Math.min(AUTO.most, Math.max(AUTO.least, thresholdDb));

interface Rules {
  /** In windows, like the following fields. */
  paddingBefore: number;
  paddingAfter: number;
  minClip: number;
  minSilence: number;
  /** Spans that are always kept. */
  protect: readonly WindowSpan[];
}

/** The windows that reach their threshold. */
export function spansAbove(levels: Levels, count: number, thresholds: Thresholds): WindowSpan[] {
  return spansWhere(count, (window) => (levels.peak[window] ?? 0) >= 10 ** (thresholds.at(window) / 20));
}

/** Runs for `count` windows: what is heard, padding, smoothing until nothing changes, then protected spans. */
export function runsOf(heard: readonly WindowSpan[], count: number, rules: Rules): Run[] {
  const padded = heard.map(({ start, end }) => ({
    start: Math.max(0, start - rules.paddingBefore),
    end: Math.min(count, end + rules.paddingAfter),
  }));
  const smooth = smoothed(runsFrom(padded, count), rules);
  if (rules.protect.length === 0) return smooth;
  const kept = smooth.filter((run) => run.heard);
  return smoothed(runsFrom([...kept, ...rules.protect], count), { ...rules, minClip: 0 });
}

/** Drops audible runs and fills silent runs that are too short, until none is left. A single run stays. */
export function smoothed(
  runs: readonly Run[],
  { minClip, minSilence }: Pick<Rules, 'minClip' | 'minSilence'>,
) {
  let now = [...runs];
  for (;;) {
    const dropped = flipped(now, (run) => run.heard && run.end - run.start < minClip);
    const filled = flipped(dropped, (run) => !run.heard && run.end - run.start < minSilence);
    if (filled.length === now.length) return filled;
    now = filled;
  }
}

function flipped(runs: readonly Run[], wrong: (run: Run) => boolean): Run[] {
  if (runs.length < 2) return [...runs];
  return merged(runs.map((run) => (wrong(run) ? { ...run, heard: !run.heard } : run)));
}

function merged(runs: readonly Run[]): Run[] {
  const made: Run[] = [];
  for (const run of runs) {
    const last = made.at(-1);
    if (last && last.heard === run.heard) last.end = run.end;
    else if (run.end > run.start) made.push({ ...run });
  }
  return made;
}

/** Runs that cover all windows, audible in these spans, which may overlap and be in any order. */
export function runsFrom(spans: readonly WindowSpan[], count: number): Run[] {
  const runs: Run[] = [];
  let at = 0;
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const [start, end] = [Math.max(at, span.start), Math.min(count, span.end)];
    if (end <= start) continue;
    if (start > at) runs.push({ start: at, end: start, heard: false });
    runs.push({ start, end, heard: true });
    at = end;
  }
  if (at < count) runs.push({ start: at, end: count, heard: false });
  return merged(runs);
}

function spansWhere(count: number, is: (window: number) => boolean): WindowSpan[] {
  const spans: WindowSpan[] = [];
  for (let window = 0; window < count; window++) {
    if (!is(window)) continue;
    const last = spans.at(-1);
    if (last && last.end === window) last.end++;
    else spans.push({ start: window, end: window + 1 });
  }
  return spans;
}
