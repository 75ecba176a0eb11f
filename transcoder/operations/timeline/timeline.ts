import { pathText, secondsOf } from '../../../schema/otio/timeline.ts';
import type { Warning } from '../../../schema/task/task.ts';
import type { Analysis, Plan, Planner } from '../../model/plan.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { Tempo } from '../plan/compile/clip-sound.ts';
import { clipsOf } from '../plan/compile/clips.ts';
import { surveysOf } from '../plan/compile/ranges.ts';
import { planClips } from '../plan/compile/splice-clips.ts';
import { UNCHANGED, type Work } from '../plan/compile/work.ts';
import { allPackets } from '../plan/frame-selection.ts';
import { needsPackets, type Span } from '../plan/frames.ts';
import { movingOf, probeOf } from '../plan/require-streams.ts';
import { planTracks, surveysOfTracks } from './compose.ts';
import { type Document, documentOf, type TimelineInput, type TimelineRequest } from './document.ts';
import { type Followed, followedClips, playedOf } from './followed.ts';
import { type MediaClock, mediaClock, spanOf } from './media-clock.ts';

/** Ramps of the sound where clips meet, in milliseconds: enough to keep a joint from clicking. */
const FADE_MS = 3;
/** Most clips whose sound is stretched one by one; the sound of more is blended. */
const MOST_STRETCHED = 200;

export const timeline: Planner<TimelineInput> = {
  analyses: (input, probes) => {
    const document = documentOf(input);
    requireOpaque(document, probes);
    const shown = sourcesShown(document);
    const packets = [...shown].flatMap((source): Analysis[] => {
      const { video } = movingOf(probeOf(probes, source), source);
      return needsPackets(video) ? [allPackets(source)] : [];
    });
    const spans = spansOf(document, probes);
    const followed = followedClips(input, document);
    const surveys = followed
      ? [...shown].flatMap((source) => surveysOf(input, probeOf(probes, source), spans[source] ?? [], source))
      : surveysOfTracks(input, document, probes, spans);
    // Surveys first: packets that a survey lists are not listed again.
    return [...surveys, ...packets];
  },

  audioTrack: ({ audio_track }) => audio_track ?? null,

  plan: (request) => {
    const warnings: Warning[] = [];
    const { input, probes, facts } = request;
    const document = documentOf(input, warnings);
    const clocks = probes.map((probe, source) => mediaClock(probe, source, facts));
    const followed = followedClips(input, document);
    const one = followed && planFollowed(request, document, clocks, followed, warnings);
    return one ?? planTracks(request, document, clocks, warnings);
  },
};

/** Pictures over others are not blended. Throws `source_transparent`. */
function requireOpaque({ clips, sourceOf }: Document, probes: readonly MediaProbe[]): void {
  for (const item of clips) {
    const source = sourceOf(item);
    if (!item.over || !probes[source]?.video?.alpha) continue;
    const detail = `${pathText(item.path)} lies over clips of another video track, and its media is transparent.`;
    throw new TaskFailure('source_transparent', detail, { sourceIndex: source });
  }
}

/** Sources with pictures in the output. */
function sourcesShown({ timeline: { picture }, sourceOf }: Document): Set<number> {
  const clips = picture?.items.filter((item) => item.kind === 'clip') ?? [];
  return new Set(clips.map(sourceOf));
}

/** Seconds around a clip that a transition or the frames of a variable rate may need. */
const MARGIN = 2;

/** What the pictures need of each source, roughly. */
function spansOf({ timeline: { picture }, sourceOf }: Document, probes: readonly MediaProbe[]): Span[][] {
  const spans: Span[][] = probes.map(() => []);
  const items = picture?.items ?? [];
  const widest = items.reduce(
    (most, item) =>
      item.kind === 'transition' ? Math.max(most, secondsOf(item.inOffset), secondsOf(item.outOffset)) : most,
    MARGIN,
  );
  for (const item of items) {
    if (item.kind !== 'clip') continue;
    const source = sourceOf(item);
    const clock = mediaClock(probeOf(probes, source), source, null);
    const { start, end } = spanOf(clock, item);
    spans[source]?.push({ start: Math.max(0, start - widest), end: Math.min(clock.length, end + widest) });
  }
  return spans;
}

/** Copies what plays at rate 1. Null if the document has other frames than the source. */
function planFollowed(
  request: TimelineRequest,
  { timeline: { sound }, sourceOf }: Document,
  clocks: readonly MediaClock[],
  followed: readonly Followed[],
  warnings: Warning[],
): Plan | null {
  const [first] = followed;
  const source = first ? sourceOf(first.item) : 0;
  const clock = clocks[source];
  const grid = clock?.grid;
  // Sources that only duplicate tracks name are read, but not used.
  if (!clock || !grid || source !== 0) return null;
  const played = playedOf(clock, followed);
  if (!played || played.length === 0) return null;
  const { probe } = clock;
  const stream = sound.length > 0 ? probe.audio : null;
  if (sound.length > 0 && !stream) return null;
  const clips = clipsOf(played, grid);
  const kept: Tempo = clips.filter(({ rate }) => rate !== 1).length <= MOST_STRETCHED ? 'stretch' : 'blend';
  const tempo = request.input.pitch === 'keep' ? kept : 'resample';
  const only = { ...request, probes: [probe] };
  const work: Work = {
    ...{ ...UNCHANGED, request: only, probe, stream, clips, grid },
    ...{ fadeMs: FADE_MS, tempo },
  };
  return planClips(work, warnings);
}
