import type { OperationInput } from '../../../schema/operations/index.ts';
import type { Warning } from '../../../schema/task/task.ts';
import { greatest, least } from '../../model/numbers/min-max.ts';
import type { Plan, Planner, PlanRequest } from '../../model/plan.ts';
import { packetsOf } from '../../model/source/gop-survey.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import { totalOf } from '../plan/compile/clips.ts';
import { keepTracksOfClips } from '../plan/compile/keep-tracks-of-clips.ts';
import { noFrame, rangeAnalyses, rangesOf, workOf } from '../plan/compile/ranges.ts';
import { planClips, spliceClips } from '../plan/compile/splice-clips.ts';
import { soundOfClips } from '../plan/compile/spliced-sound.ts';
import type { Work } from '../plan/compile/work.ts';
import { deinterlacing } from '../plan/deinterlace.ts';
import { fitFades } from '../plan/fit-fades.ts';
import { framesOf, hasLongFrames, type Span, snapped } from '../plan/frames.ts';
import { audioOf, lengthOf, movingOf, only, pastEnd, shown, soundSeconds } from '../plan/require-streams.ts';
import { besideOf, copyable } from '../plan/stream-copy.ts';
import { keepLanguage, textAnalyses } from '../plan/tracks/keep-tracks.ts';
import { planSound } from './audio-only.ts';
import { withEvenFades } from './fades-over-long-frames.ts';
import { planCopy } from './keyframe-copy.ts';

export const cut: Planner<OperationInput<'cut'>> = {
  analyses: (input, probes) => {
    const probe = only(probes);
    if (input.video_url === undefined) {
      audioOf(probe);
      spansOf(input, probe);
      return [];
    }
    movingOf(probe);
    const { spans } = spansOf(input, probe);
    const fromKeyframe = input.mode === 'keyframe';
    const texts = textAnalyses(input.tracks, probe, fromKeyframe ? {} : { kept: spans });
    return [...rangeAnalyses(input, probe, spans, fromKeyframe), ...texts];
  },

  audioTrack: ({ audio_track }) => audio_track ?? null,

  deinterlacing,

  near: ({ start, segments }) => segments?.[0]?.start ?? start ?? null,

  within: ({ start = 0, end, duration, segments }) => ({
    start: segments ? least(segments.map((segment) => segment.start)) : start,
    end: segments
      ? greatest(segments.map((segment) => segment.end))
      : (end ?? start + (duration ?? Number.POSITIVE_INFINITY)),
  }),

  plan: (request) => {
    const { input, probes, facts } = request;
    const probe = only(probes);
    const { spans: ranges, warnings } = spansOf(input, probe);
    const ofVideo = input.video_url !== undefined;
    const spans = ofVideo ? onFrames(request, ranges) : ranges;
    const fades = fitFades({ in: input.fade_in, out: input.fade_out }, totalOf(rangesOf(spans)), warnings);
    if (!ofVideo) return keepLanguage(planSound(request, spans, fades, warnings), probe);
    if (input.mode === 'keyframe' && facts.packets && copyable(request)) {
      for (const survey of new Set([facts.survey ?? null, null])) {
        const copied = planCopy(request, spans, facts.packets, [...warnings], survey);
        const work = copied && { ...workOf(request, copied.kept, input.audio, []), fades };
        const plan = work && splicedCopy(work, copied);
        if (plan) return keepTracksOfClips(plan, work, input);
      }
    }
    const cuts = { ...workOf(request, spans, input.audio, warnings), fades };
    const work = withEvenFades(cuts, warnings);
    return keepTracksOfClips(planClips(work, warnings), work, input);
  },
};

/**
 * The same copy through libav instead of ffmpeg. libav ends picture and sound together, which is preferred if no sound
 * needs encoding. It is also needed for long frames, which ffmpeg shows too briefly, and for joined ranges with sound:
 * packets of sound begin and end elsewhere than frames, so joined copies of them fall out of step with the picture. Ranges of open
 * groups are joined by libav or not at all, which is null: at such a keyframe, decoding begins again only if the packet is converted.
 */
function splicedCopy(work: Work, { plan: copy, leads }: { plan: Plan; leads: boolean }): Plan | null {
  const { probe, clips, stream, request } = work;
  const sound = stream ? soundOfClips(work) : null;
  const { video } = movingOf(probe);
  // libav copies the picture only, not its side streams such as alpha.
  if (besideOf(video, request.input.format)) return leads ? null : copy;
  const encodes = sound !== null && sound.steps.length > 0;
  const begins = leads || (clips.length > 1 && (video.codec === 'hevc' || hasOpenGroups(request.facts)));
  const staysExact = clips.length === 1 ? encodes : sound === null && !begins;
  if (!hasLongFrames(video) && staysExact && !leads) return copy;
  const plan = spliceClips(work, copy, sound);
  const { rendered_because, ...as } = plan;
  if (rendered_because === undefined && plan.data.rendered_seconds === 0) return as;
  return begins ? null : copy;
}

const hasOpenGroups = ({ survey }: PlanRequest<unknown>['facts']) =>
  (survey?.parts ?? []).some((part) => part.pts.some((_, at) => part.entryAt(at) === 'open'));

/**
 * Moves both ends of ranges to frame boundaries, to cut the sound exactly where the picture is cut. Throws
 * `time_out_of_range`.
 */
function onFrames({ probes, facts }: PlanRequest<OperationInput<'cut'>>, spans: readonly Span[]): Span[] {
  const probe = only(probes);
  const { video, duration } = movingOf(probe);
  const packets = facts.packets ?? packetsOf(facts.survey, video) ?? undefined;
  return spans.map((span) => {
    const frames = framesOf(probe, video, packets, span);
    const begin = snapped(frames, span.start);
    // If the start is past the middle of the last frame, that frame is shown from the requested time.
    const start = begin < frames.until ? begin : span.start;
    const end = span.end < duration ? snapped(frames, span.end) : duration;
    if (end > start) return { start, end };
    throw noFrame(span);
  });
}

/** The requested ranges, clipped to the end of the source, or of its sound where that is what is cut. Throws `time_out_of_range`. */
function spansOf(input: OperationInput<'cut'>, probe: MediaProbe): { spans: Span[]; warnings: Warning[] } {
  const whole = lengthOf(probe);
  const duration = input.video_url === undefined ? soundSeconds(probe, audioOf(probe), whole) : whole;
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
      throw pastEnd(input.segments ? `segments[${index}].start` : 'start', start, duration);
    }
    if (end > duration + (probe.video?.frameDuration ?? 0)) {
      const detail = `${field}: the requested end is ${shown(end)} s, but the source ends at ${shown(duration)} s. The cut ends there.`;
      warnings.push({ code: 'range_clamped', detail });
    }
    return { start, end: Math.min(end, duration) };
  });
  return { spans, warnings };
}
