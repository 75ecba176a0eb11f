import type { OperationInput } from '../../../schema/operations/index.ts';
import type { Warning } from '../../../schema/task/task.ts';
import { packetsOf } from '../../model/gop-survey.ts';
import type { MediaProbe } from '../../model/media-probe.ts';
import type { Plan, Planner, PlanRequest } from '../../model/plan.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { deinterlacing } from '../plan/deinterlace.ts';
import { fitFades } from '../plan/fit-fades.ts';
import { edgeNear, type Span, timesIn } from '../plan/frame-selection.ts';
import { totalOf } from '../plan/joined-spans.ts';
import { noFrame } from '../plan/render-range.ts';
import { lengthOf, movingOf, only, shown, soundOnly } from '../plan/require-streams.ts';
import { planCopied, planSpans, rangeAnalyses } from '../plan/spliced-shots.ts';
import { mixedSound } from '../plan/spliced-sound.ts';
import { copyable } from '../plan/stream-copy.ts';
import { keepTracks, type SourceProbes, textAnalyses } from '../plan/tracks/keep-tracks.ts';
import { planSound } from './audio-only.ts';
import { planCopy } from './keyframe-copy.ts';

export const cut: Planner<OperationInput<'cut'>> = {
  analyses: (input, probes) => {
    const probe = only(probes);
    if (input.video_url === undefined) {
      soundOnly(probe);
      spansOf(input, probe);
      return [];
    }
    movingOf(probe);
    const { spans } = spansOf(input, probe);
    const texts = textAnalyses(input.tracks, probe);
    return [...rangeAnalyses(input, probe, spans, input.mode === 'keyframe'), ...texts];
  },

  audioTrack: ({ audio_track }) => audio_track ?? null,

  deinterlacing: (input, video) => deinterlacing(input, video),

  near: ({ start, segments }) => segments?.[0]?.start ?? start ?? null,

  plan: (asked) => {
    const probe = only(asked.probes);
    const { spans: ranges, warnings } = spansOf(asked.input, probe);
    const ofVideo = asked.input.video_url !== undefined;
    const spans = ofVideo ? ranges.map((span) => onFrames(asked, span)) : ranges;
    const fades = fitFades({ in: asked.input.fade_in, out: asked.input.fade_out }, totalOf(spans), warnings);
    const input = { ...asked.input, fade_in: fades.in, fade_out: fades.out };
    const request = { ...asked, input };
    const { facts } = request;
    if (!ofVideo) return planSound(request, spans, warnings);
    const kept = (plan: Plan, ranges: readonly Span[]) => {
      const soundOf = ([other]: SourceProbes) =>
        mixedSound({ probe: other, spans: ranges, fades, format: input.format });
      return keepTracks(plan, { ...input, probes: [probe], facts, soundOf });
    };
    if (input.mode === 'keyframe' && facts.packets && copyable(request)) {
      const copied = planCopy(request, spans, facts.packets, warnings);
      if (copied) return kept(planCopied(request, copied.kept, copied.plan), copied.kept);
    }
    return kept(planSpans(request, spans, warnings), spans);
  },
};

/**
 * Moves both ends of a range to frame boundaries, to cut the sound exactly where the picture is cut. Throws
 * `time_out_of_range`.
 */
function onFrames({ probes, facts }: PlanRequest<OperationInput<'cut'>>, span: Span): Span {
  const probe = only(probes);
  const { video, duration } = movingOf(probe);
  const packets = facts.packets ?? packetsOf(facts.survey, video) ?? undefined;
  const { times, until } = timesIn(probe, video, span, packets);
  const edge = (time: number) => edgeNear(times, probe.origin + time, until) - probe.origin;
  const begin = edge(span.start);
  // If the start is past the middle of the last frame, that frame is shown from the requested time.
  const start = probe.origin + begin < until ? begin : span.start;
  const end = span.end < duration ? edge(span.end) : duration;
  if (end > start) return { start, end };
  throw noFrame(span);
}

/** The requested ranges, clipped to the end of the source. Throws `time_out_of_range`. */
function spansOf(input: OperationInput<'cut'>, probe: MediaProbe): { spans: Span[]; warnings: Warning[] } {
  const duration = lengthOf(probe);
  const warnings: Warning[] = [];
  const asked = input.segments?.map((segment, index) => ({ ...segment, field: `segments[${index}]` })) ?? [
    {
      start: input.start ?? 0,
      end: input.end ?? (input.start ?? 0) + (input.duration ?? duration),
      field: input.end === undefined ? 'duration' : 'end',
    },
  ];
  const spans = asked.map(({ start, end, field }, index) => {
    if (start >= duration) {
      const name = input.segments ? `segments[${index}].start` : 'start';
      const detail = `${name} is ${shown(start)} s, but the source is only ${shown(duration)} s long.`;
      throw new TaskFailure('time_out_of_range', detail, { sourceIndex: 0 });
    }
    if (end > duration + (probe.video?.frameDuration ?? 0)) {
      const detail = `${field} ends at ${shown(end)} s, but the source ends at ${shown(duration)} s. The cut ends there.`;
      warnings.push({ code: 'range_clamped', detail });
    }
    return { start, end: Math.min(end, duration) };
  });
  return { spans, warnings };
}
