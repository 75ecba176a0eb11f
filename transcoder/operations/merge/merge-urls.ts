import type { Warning } from '../../../schema/task/task.ts';
import { layoutOf } from '../../model/channel-layouts.ts';
import type { Analysis, Planner } from '../../model/plan.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { VideoStream } from '../../model/source/video-stream.ts';
import { withData } from '../plan/changed-plan.ts';
import { deinterlacing } from '../plan/deinterlace.ts';
import { frameRate, rateOfAll } from '../plan/frame-rate.ts';
import { packetsAround } from '../plan/frame-selection.ts';
import { micros, movingOf, probeOf } from '../plan/require-streams.ts';
import { canvasOf, clipWarnings, sizeOf } from '../plan/timeline/canvas.ts';
import { planTimeline, surveysOfSpans } from '../plan/timeline/splice-timeline.ts';
import type { Timeline } from '../plan/timeline/timeline.ts';
import { keepTracks, type SourceProbes, textAnalyses } from '../plan/tracks/keep-tracks.ts';
import { mixedFrom, otherSound, soundOf } from './mix-audio.ts';
import { clipsOf, gapOf, type MergeInput, type MergeRequest, ruleOf, timelineOf } from './timeline.ts';

export const mergeUrls: Planner<MergeInput> = {
  analyses: (input, probes) => {
    const sounds = probes.flatMap(({ audio }) => audio ?? []);
    const mixed = mixedFrom(sounds, input.format)?.target.layout;
    const spans = spansOf(input, probes);
    const needed = clipsOf(input).flatMap(({ start, end }, source) => {
      const probe = probeOf(probes, source);
      const { video } = movingOf(probe, source);
      const analyses: Analysis[] = [];
      if (video.pace !== 'constant') analyses.push({ kind: 'tail', source });
      if (input.normalize_audio && probe.audio) {
        const remixed = mixed !== undefined && mixed !== layoutOf(probe.audio) ? { mixed } : {};
        const [span] = start === undefined && end === undefined ? [] : (spans[source] ?? []);
        const measured = { ...remixed, ...(span ? { span } : {}) };
        analyses.push({ kind: 'loudness', source, stream: probe.audio.index, ...measured });
      }
      return analyses;
    });
    const size = sizeOf(input, movingOf(probeOf(probes, 0)).video);
    const surveyed = surveysOfSpans(input, probes, size, spans);
    // Surveys first: packets that a survey lists are not listed again.
    const texts = clipsOf(input).flatMap((_, source) =>
      textAnalyses(input.tracks, probeOf(probes, source), { source }),
    );
    return [...needed, ...surveyed, ...edges(input, probes), ...texts];
  },

  deinterlacing: (input, video) =>
    deinterlacing(input, video, () => 'clips are converted to one size and frame rate'),

  audioTrack: (input, source) => (source < clipsOf(input).length ? (input.audio_track ?? null) : null),

  within: (input, source) => {
    const clip = clipsOf(input)[source];
    return clip ? { start: clip.start ?? 0, end: clip.end ?? Number.POSITIVE_INFINITY } : null;
  },

  plan: (request) => {
    const { input } = request;
    const warnings: Warning[] = [];
    const rate = input.fps === undefined ? rateAsked(request) : frameRate(input.fps);
    const timeline = timelineOf(request, rate, warnings);
    const canvas = canvasOf(request, videosOf(request), rate.fps, warnings);
    warnings.push(...clipWarnings(timeline));
    const sound = soundOf(request, timeline, input.format, warnings);
    const made = planTimeline(request, timeline, canvas, sound, warnings);
    const plan = withData(made, { joints: jointsOf(timeline) });
    const probes = clipProbes(request);
    const others = (chosen: SourceProbes) => otherSound(request, timeline, chosen);
    return keepTracks(plan, { ...input, probes, facts: request.facts, soundOf: others });
  },
};

/**
 * Lists packets around the start and end of clips with a variable frame rate, where only packets say when frames are
 * shown.
 */
function edges(input: MergeInput, probes: readonly MediaProbe[]): Analysis[] {
  return clipsOf(input).flatMap(({ start, end }, source): Analysis[] => {
    const probe = probes[source];
    if (!probe?.video || probe.still || (start === undefined && end === undefined)) return [];
    const { video, duration } = probe;
    if (video.pace === 'constant') return [];
    const span = { start: start ?? 0, end: Math.min(end ?? duration, duration) };
    return [{ kind: 'packets', source, intervals: [packetsAround(probe, video, span)] }];
  });
}

/** The span of each clip, by source. */
const spansOf = (input: MergeInput, probes: readonly MediaProbe[]) =>
  clipsOf(input).map(({ start = 0, end }, source) => {
    const duration = probes[source]?.duration ?? 0;
    return [{ start, end: Math.min(end ?? duration, duration) }];
  });

function rateAsked(request: MergeRequest) {
  const { tail } = request.facts;
  return rateOfAll(videosOf(request), { even: gapOf(tail), rule: ruleOf(tail) });
}

function videosOf(request: MergeRequest): [VideoStream, ...VideoStream[]] {
  const [first, ...others] = clipProbes(request);
  return [movingOf(first).video, ...others.map((probe, index) => movingOf(probe, index + 1).video)];
}

/** The joints as callers read them. */
function jointsOf({ rate, joints }: Timeline) {
  const seconds = (frames: number) => micros(frames / rate.fps);
  return joints.map(({ index, type, at, frames }) => ({
    index,
    type,
    at: seconds(at),
    duration: seconds(frames),
  }));
}

function clipProbes({ input, probes }: MergeRequest): SourceProbes {
  const [first, ...more] = probes.slice(0, clipsOf(input).length);
  if (!first) throw new Error('a merge without clips');
  return [first, ...more];
}
