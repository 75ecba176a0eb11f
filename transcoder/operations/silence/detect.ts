import type { OperationInput } from '../../../schema/operations/index.ts';
import { MAX_SEGMENTS } from '../../../schema/operations/silence-process.ts';
import type { Warning } from '../../../schema/task/task.ts';
import type { Levels } from '../../model/plan.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { type FrameGrid, snapped } from '../plan/frame-grid.ts';
import type { Span } from '../plan/frame-selection.ts';
import { micros, shown } from '../plan/require-streams.ts';
import { adaptiveThreshold, noiseFloor, type Run, runsFrom, runsOf, WINDOW } from './threshold.ts';

export type SilenceInput = OperationInput<'silence_process'>;

export interface Segment extends Span {
  action: 'keep' | 'silent';
}

export interface Decision {
  /** The whole source, in order. */
  segments: Segment[];
  noiseFloorDb: number | null;
  thresholdDb: number | null;
}

interface Source {
  duration: number;
  /** Null for audio only. */
  grid: FrameGrid | null;
}

/** Decides what to keep, from the levels or from the caller's list. Throws `all_silent`, `time_out_of_range`. */
export function decide(
  input: SilenceInput,
  source: Source,
  levels: Levels | undefined,
  warnings: Warning[],
): Decision {
  const decision = levels ? detected(input, source, levels, warnings) : given(input, source, warnings);
  if (decision.segments.some(({ action }) => action === 'keep')) return decision;
  const detail =
    decision.thresholdDb === null
      ? 'Every segment is silent, so that nothing would be left.'
      : `Nothing reaches ${shown(decision.thresholdDb)} dB; the noise floor is ${shown(decision.noiseFloorDb ?? 0)} dB.`;
  throw new TaskFailure('all_silent', detail, { sourceIndex: 0 });
}

function detected(input: SilenceInput, source: Source, levels: Levels, warnings: Warning[]): Decision {
  const count = Math.ceil(source.duration / WINDOW - 1e-6);
  const windows = (seconds: number) => Math.round(seconds / WINDOW);
  const thresholdDb = input.threshold_db === 'auto' ? adaptiveThreshold(levels) : input.threshold_db;
  const rules = {
    thresholdDb,
    paddingBefore: windows(input.padding_before),
    paddingAfter: windows(input.padding_after),
    minClip: windows(input.min_clip),
    minSilence: windows(input.min_silence),
    protect: input.protect_ranges.map(({ start, end }) => ({
      start: Math.floor(start / WINDOW + 1e-6),
      end: Math.ceil(end / WINDOW - 1e-6),
    })),
  };
  let runs = runsOf(levels, count, rules);
  const asked = rules.minSilence;
  while (runs.length > MAX_SEGMENTS) {
    rules.minSilence = Math.ceil(rules.minSilence * 1.25);
    runs = runsOf(levels, count, rules);
  }
  if (rules.minSilence > asked) {
    const detail = `There were more than ${MAX_SEGMENTS} segments, so silences shorter than ${shown(rules.minSilence * WINDOW)} s were kept.`;
    warnings.push({ code: 'segments_merged', detail });
  }
  const spans = withKept(runs, windows(input.keep_silence))
    .filter(({ heard }) => heard)
    .map(({ start, end }) => ({
      start: start * WINDOW,
      end: end === count ? source.duration : end * WINDOW,
    }));
  const tenth = (level: number) => Math.round(level * 10) / 10;
  return {
    segments: segmentsOf(spans, source),
    noiseFloorDb: tenth(noiseFloor(levels)),
    thresholdDb: tenth(thresholdDb),
  };
}

/** Tests whether any part of a span is audible or protected. */
export function keptWithin(
  { protect_ranges }: Pick<SilenceInput, 'protect_ranges'>,
  { peak }: Levels,
  thresholdDb: number,
): (span: Span) => boolean {
  // The threshold of a decision is rounded to a tenth.
  const threshold = 10 ** ((thresholdDb - 0.1) / 20);
  return ({ start, end }) =>
    protect_ranges.some((range) => range.start < end && range.end > start) ||
    peak.subarray(Math.floor(start / WINDOW), Math.ceil(end / WINDOW)).some((level) => level >= threshold);
}

/**
 * Leaves `keep` windows of each silence, half at each end. Silence at the start or end of the source keeps all of them
 * next to the sound.
 */
function withKept(runs: readonly Run[], keep: number): Run[] {
  const [first, last] = [runs[0], runs.at(-1)];
  if (keep === 0 || !first || !last || runs.length < 2) return [...runs];
  const before = Math.floor(keep / 2);
  const audible = runs
    .filter((run) => run.heard)
    .map((run) => ({
      start: run.start - (runs[1] === run && !first.heard ? keep : before),
      end: run.end + (runs.at(-2) === run && !last.heard ? keep : keep - before),
    }));
  return runsFrom(
    audible.map(({ start, end }) => ({ start: Math.max(0, start), end })),
    last.end,
  );
}

function given(input: SilenceInput, source: Source, warnings: Warning[]): Decision {
  const { duration } = source;
  const list = input.segments ?? [];
  const frame = source.grid?.step ?? WINDOW;
  for (const [index, { start, end }] of list.entries()) {
    if (start >= duration) {
      const detail = `segments[${index}].start is ${shown(start)} s, but the source is only ${shown(duration)} s long.`;
      throw new TaskFailure('time_out_of_range', detail, { sourceIndex: 0 });
    }
    if (end > duration + frame) {
      const detail = `segments[${index}] ends at ${shown(end)} s, but the source ends at ${shown(duration)} s. The segment ends there.`;
      warnings.push({ code: 'range_clamped', detail });
    }
  }
  const silent = list.filter(({ action }) => action === 'silent');
  const kept = [...between(silent, duration), ...input.protect_ranges];
  return { segments: segmentsOf(kept, source), noiseFloorDb: null, thresholdDb: null };
}

/** The gaps between ordered spans. */
function between(spans: readonly Span[], duration: number): Span[] {
  const edges = [0, ...spans.flatMap(({ start, end }) => [start, end]), duration];
  return edges.flatMap((start, index) => {
    const end = edges[index + 1];
    return index % 2 === 0 && end !== undefined && end > start ? [{ start, end }] : [];
  });
}

/** The whole source as segments: kept in these spans, which are moved to frame boundaries, and silent elsewhere. */
export function segmentsOf(kept: readonly Span[], { duration, grid }: Source): Segment[] {
  const inside = (time: number) => {
    if (time <= 0) return 0;
    if (time >= duration - 1e-6) return duration;
    return micros(Math.min(duration, Math.max(0, grid ? snapped(grid, time) : time)));
  };
  const segments: Segment[] = [];
  let at = 0;
  const add = (end: number, action: Segment['action']) => {
    if (end <= at) return;
    const last = segments.at(-1);
    if (last?.action === action) last.end = end;
    else segments.push({ start: at, end, action });
    at = end;
  };
  for (const span of [...kept].sort((a, b) => a.start - b.start)) {
    add(inside(span.start), 'silent');
    add(inside(span.end), 'keep');
  }
  add(duration, 'silent');
  return segments;
}
