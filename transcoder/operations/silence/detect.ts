import type { OperationInput } from '../../../schema/operations/index.ts';
import { MAX_SEGMENTS } from '../../../schema/operations/silence-process.ts';
import type { Warning } from '../../../schema/task/task.ts';
import { firstIndex } from '../../model/numbers/first-index.ts';
import type { Levels, SourceFacts } from '../../model/plan.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { hasVoice, voicedAlone, voicedSpans } from '../../model/voice.ts';
import { type Frames, type Span, snapped } from '../plan/frames.ts';
import { gapsBetween } from '../plan/joined-spans.ts';
import { micros, pastEnd, shown } from '../plan/require-streams.ts';
import {
  adaptiveThresholds,
  noiseFloor,
  type Run,
  runsFrom,
  runsOf,
  sameEverywhere,
  spansAbove,
  WINDOW,
  type WindowSpan,
} from './threshold.ts';

export type SilenceInput = OperationInput<'silence_process'>;

export interface Segment extends Span {
  action: 'keep' | 'silent';
}

export interface Decision {
  /** The whole source, in order. */
  segments: Segment[];
  noiseFloorDb: number | null;
  /** Null unless the level decided. */
  thresholdDb: number | null;
  /** What decided; null if the caller gave the list. */
  detector: 'energy' | 'speech' | null;
  /** What was heard, before padding; null if the caller gave the list. */
  heard: readonly WindowSpan[] | null;
}

interface Source {
  duration: number;
  /** Null for audio only. */
  grid: Frames | null;
}

/**
 * Decides what to keep, from the levels and voices or from the caller's list. Throws `all_silent`, `time_out_of_range`,
 * `engine_unavailable`.
 */
export function decide(
  input: SilenceInput,
  source: Source,
  { levels, voice }: Pick<SourceFacts, 'levels' | 'voice'>,
  warnings: Warning[],
): Decision {
  const decision = levels ? detected(input, source, levels, voice, warnings) : given(input, source, warnings);
  if (decision.segments.some(({ action }) => action === 'keep')) return decision;
  throw new TaskFailure('all_silent', whyAllSilent(decision, input), { sourceIndex: 0 });
}

function whyAllSilent(
  { detector, thresholdDb, noiseFloorDb, heard }: Decision,
  { min_clip }: SilenceInput,
): string {
  if (detector === null) return 'Every segment is silent, so that nothing would be left.';
  if (heard && heard.length > 0 && min_clip > 0) {
    return `Every sound is shorter than \`min_clip\` (${shown(min_clip)} s) and counts as silence. Use a smaller \`min_clip\`.`;
  }
  if (detector === 'speech') {
    return 'No speech was found. With `detector: "energy"`, every sound above `threshold_db` is kept.';
  }
  return `Nothing reaches ${shown(thresholdDb ?? 0)} dB; the noise floor is ${shown(noiseFloorDb ?? 0)} dB.`;
}

/** Whether voices are looked for: a level that the caller gives is meant, so `auto` then goes by it alone. */
export const looksForVoices = ({ detector, threshold_db }: SilenceInput) =>
  detector === 'speech' || (detector === 'auto' && threshold_db === 'auto');

interface Found {
  heard: WindowSpan[];
  thresholdDb: number | null;
  detector: 'energy' | 'speech';
}

/** What is heard, before padding. */
function heardIn(
  input: SilenceInput,
  levels: Levels,
  voice: SourceFacts['voice'],
  count: number,
  warnings: Warning[],
): Found {
  if (looksForVoices(input)) {
    if (voice && input.detector === 'speech') {
      return { heard: voicedAlone(voice, count), thresholdDb: null, detector: 'speech' };
    }
    const heard = voice && hasVoice(voice) ? voicedSpans(voice, levels.rms, count) : [];
    if (heard.length > 0) return { heard, thresholdDb: null, detector: 'speech' };
    if (!voice && input.detector === 'speech') {
      const detail = 'The speech detector is unavailable. Use `detector: "auto"` or `"energy"`.';
      throw new TaskFailure('engine_unavailable', detail);
    }
    if (!voice) {
      const detail = 'The speech detector is unavailable, so silence was detected by level only.';
      warnings.push({ code: 'detector_unavailable', detail });
    }
  }
  const thresholds =
    input.threshold_db === 'auto' ? adaptiveThresholds(levels) : sameEverywhere(input.threshold_db);
  const heard = spansAbove(levels, count, thresholds);
  return { heard, thresholdDb: thresholds.whole, detector: 'energy' };
}

function detected(
  input: SilenceInput,
  source: Source,
  levels: Levels,
  voice: SourceFacts['voice'],
  warnings: Warning[],
): Decision {
  const count = Math.ceil(source.duration / WINDOW - 1e-6);
  const windows = (seconds: number) => Math.round(seconds / WINDOW);
  const { heard, thresholdDb, detector } = heardIn(input, levels, voice, count, warnings);
  const rules = {
    paddingBefore: windows(input.padding_before),
    paddingAfter: windows(input.padding_after),
    minClip: windows(input.min_clip),
    minSilence: windows(input.min_silence),
    protect: input.protect_ranges.map(({ start, end }) => ({
      start: Math.floor(start / WINDOW + 1e-6),
      end: Math.ceil(end / WINDOW - 1e-6),
    })),
  };
  let runs = runsOf(heard, count, rules);
  const asked = rules.minSilence;
  while (runs.length > MAX_SEGMENTS) {
    rules.minSilence = Math.ceil(rules.minSilence * 1.25);
    runs = runsOf(heard, count, rules);
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
    thresholdDb: thresholdDb === null ? null : tenth(thresholdDb),
    ...{ detector, heard },
  };
}

/** Tests whether any part of a span was heard or is protected. @param heard In order, without overlaps. */
export function keptWithin(
  { protect_ranges }: Pick<SilenceInput, 'protect_ranges'>,
  heard: readonly WindowSpan[],
): (span: Span) => boolean {
  const isHeard = (from: number, to: number) => {
    const next = heard[firstIndex(heard.length, (at) => (heard[at]?.end ?? 0) > from)];
    return next !== undefined && next.start < to;
  };
  return ({ start, end }) =>
    protect_ranges.some((part) => part.start < end && part.end > start) ||
    isHeard(Math.floor(start / WINDOW), Math.ceil(end / WINDOW));
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

const NOT_DETECTED = { noiseFloorDb: null, thresholdDb: null, detector: null, heard: null };

function given(input: SilenceInput, source: Source, warnings: Warning[]): Decision {
  const { duration } = source;
  const list = input.segments ?? [];
  const frame = source.grid?.step ?? WINDOW;
  for (const [index, { start, end }] of list.entries()) {
    if (start >= duration) throw pastEnd(`segments[${index}].start`, start, duration);
    if (end > duration + frame) {
      const detail = `segments[${index}] ends at ${shown(end)} s, but the source ends at ${shown(duration)} s. The segment ends there.`;
      warnings.push({ code: 'range_clamped', detail });
    }
  }
  const silent = list.filter(({ action }) => action === 'silent');
  const kept = [...gapsBetween(silent, duration), ...input.protect_ranges];
  return { segments: segmentsOf(kept, source), ...NOT_DETECTED };
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
