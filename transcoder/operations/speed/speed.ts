import type { OperationInput } from '../../../schema/operations/index.ts';
import { MOST_REVERSED_SECONDS } from '../../../schema/operations/speed.ts';
import type { Warning } from '../../../schema/task/task.ts';
import type { Planner } from '../../model/plan.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { clipsOf, type Played } from '../plan/compile/clips.ts';
import { keepTracksOfClips } from '../plan/compile/keep-tracks-of-clips.ts';
import { surveysOf } from '../plan/compile/ranges.ts';
import { renderSound } from '../plan/compile/render-clips.ts';
import { mostStretchedSeconds } from '../plan/compile/sound-parts.ts';
import { planClips } from '../plan/compile/splice-clips.ts';
import { UNCHANGED, type Work } from '../plan/compile/work.ts';
import { deinterlacing } from '../plan/deinterlace.ts';
import { allPackets } from '../plan/frame-selection.ts';
import { type Frames, framesOfOnly, needsPackets, snapped } from '../plan/frames.ts';
import {
  audioOf,
  lengthOf,
  movingOf,
  only,
  pastEnd,
  shown,
  shownVideo,
  soundSeconds,
} from '../plan/require-streams.ts';
import { keepLanguage, textAnalyses } from '../plan/tracks/keep-tracks.ts';

type SpeedInput = OperationInput<'speed'>;

/** Ramps of the sound where clips meet, in milliseconds: enough to keep a joint from clicking. */
const FADE_MS = 3;

export const speed: Planner<SpeedInput> = {
  analyses: (input, probes) => {
    const probe = only(probes);
    if (input.video_url === undefined) audioOf(probe);
    checkReversed(input, probe);
    if (input.video_url === undefined) return [];
    const { video } = movingOf(probe);
    return [
      ...surveysOf(input, probe),
      ...textAnalyses(input.tracks, probe),
      ...(needsPackets(video) ? [allPackets()] : []),
    ];
  },

  audioTrack: ({ audio_track }) => audio_track ?? null,

  deinterlacing: (input, video) => deinterlacing(input, video, () => mixedBy(input)),

  plan: (request) => {
    const { input, probes, facts } = request;
    const probe = only(probes);
    const warnings: Warning[] = [];
    const video = shownVideo(input, probe);
    const grid = framesOfOnly(probe, video, facts);
    const clips = clipsOf(stretchable(playedIn(input, probe, grid, warnings), input, probe, grid), grid);
    const { rotate, flip, reverse } = input;
    const work: Work = {
      ...{ ...UNCHANGED, request, probe, stream: probe.audio, clips, grid, fadeMs: FADE_MS },
      ...{ turn: { rotate, flip }, reversed: reverse },
      tempo: input.pitch === 'keep' ? 'stretch' : 'resample',
    };
    if (!grid) return keepLanguage(renderSound(work, warnings), probe);
    return keepTracksOfClips(planClips(work, warnings), work, input);
  },
};

/** Seconds that are played: of a sound, which the pictures of its source may outlast, or of all. */
function secondsOf({ video_url }: SpeedInput, probe: MediaProbe): number {
  const whole = lengthOf(probe);
  return video_url === undefined ? soundSeconds(probe, audioOf(probe), whole) : whole;
}

/** Why fields cannot be kept; null if they can. */
function mixedBy({ rate, ranges, reverse, rotate, flip }: SpeedInput): string | null {
  if (reverse) return 'the video is played backwards';
  if (rotate !== 0) return 'the picture is turned';
  if (flip === 'vertical') return 'the picture is mirrored';
  return (rate ?? 1) !== 1 || ranges ? 'the speed changes' : null;
}

/** The whole source in order, at the rates of the request. Throws `time_out_of_range`. */
function playedIn(input: SpeedInput, probe: MediaProbe, grid: Frames | null, warnings: Warning[]): Played[] {
  const { rate = 1, ranges } = input;
  const duration = secondsOf(input, probe);
  const edge = edgeIn(duration, grid);
  if (!ranges) return [{ start: 0, end: duration, rate, muted: false }];
  const played: Played[] = [];
  let at = 0;
  const until = (end: number, speed: number) => {
    if (end > at) played.push({ start: at, end, rate: speed, muted: false });
    at = Math.max(at, end);
  };
  for (const [index, range] of ranges.entries()) {
    if (range.start >= duration) throw pastEnd(`ranges[${index}].start`, range.start, duration);
    if (range.end > duration + (probe.video?.frameDuration ?? 0)) {
      const detail = `ranges[${index}] ends at ${shown(range.end)} s, but the source ends at ${shown(duration)} s. The range ends there.`;
      warnings.push({ code: 'range_clamped', detail });
    }
    until(edge(range.start), 1);
    until(edge(range.end), range.rate);
  }
  until(duration, 1);
  return merged(played);
}

/** Moves a time to where a frame begins, but not the end. */
function edgeIn(duration: number, grid: Frames | null) {
  return (time: number) => (time >= duration ? duration : grid ? snapped(grid, time) : time);
}

/** Divides what is too long for its sound to be stretched at once. */
function stretchable(
  played: readonly Played[],
  input: SpeedInput,
  probe: MediaProbe,
  grid: Frames | null,
): readonly Played[] {
  if (!probe.audio || input.pitch === 'follow') return played;
  const edge = edgeIn(secondsOf(input, probe), grid);
  const most = mostStretchedSeconds(probe.audio);
  return played.flatMap((each) => {
    const { start, end, rate } = each;
    if (rate === 1) return each;
    const parts = Math.ceil((end - start) / Math.min(1, rate) / most);
    const at = (part: number) => (part === parts ? end : edge(start + ((end - start) * part) / parts));
    return Array.from({ length: parts }, (_, part) => ({
      ...each,
      start: part === 0 ? start : at(part),
      end: at(part + 1),
    }));
  });
}

/** Joins neighbours of the same rate into one. */
function merged(played: readonly Played[]): Played[] {
  const result: Played[] = [];
  for (const each of played) {
    const last = result.at(-1);
    if (last && last.rate === each.rate) last.end = each.end;
    else result.push({ ...each });
  }
  return result;
}

/** Throws `source_too_long`. */
function checkReversed(input: SpeedInput, probe: MediaProbe): void {
  const duration = secondsOf(input, probe);
  if (!input.reverse || duration <= MOST_REVERSED_SECONDS) return;
  const detail = `The source is ${shown(duration)} s long; \`reverse\` takes at most ${MOST_REVERSED_SECONDS} s.`;
  throw new TaskFailure('source_too_long', detail, { sourceIndex: 0 });
}
