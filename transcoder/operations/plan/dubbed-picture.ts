import type { Warning } from '../../../schema/task/task.ts';
import { least } from '../../model/numbers/min-max.ts';
import type { Analysis, Plan, PlanRequest } from '../../model/plan.ts';
import type { MediaProbe, StatedAudio } from '../../model/source/media-probe.ts';
import type { Packets } from '../../model/source/packets.ts';
import type { VideoStream } from '../../model/source/video-stream.ts';
import type { Step } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { mixedByLibav, type SplicedSound, soundFile, soundTarget } from './audio-file.ts';
import { audioTarget } from './audio-target.ts';
import { totalOf } from './compile/clips.ts';
import { rangeAnalyses, workOf } from './compile/ranges.ts';
import { planClips } from './compile/splice-clips.ts';
import type { Hold } from './compile/work.ts';
import { hasLongFrames, type Span } from './frames.ts';
import type { MadeSound } from './joined-parts.ts';
import { MIX_RATE, mixSamples, rawInput } from './raw-audio.ts';
import { micros, movingOf, probeOf } from './require-streams.ts';
import type { Delivered } from './splice-compatibility.ts';
import { keepTracks, type SourceProbes, textAnalyses } from './tracks/keep-tracks.ts';

/** Most repetitions of a video. */
const MOST_LOOPS = 100;

/** The picture of a dub: all of the video or its beginning, followed by a freeze frame or repetitions. */
export interface Picture {
  input: Delivered;
  /** Of the output. */
  seconds: number;
  after: 'freeze' | 'loop';
}

/**
 * The end of a whole frame near `wanted`. Long or uneven frames end at `wanted` itself: rounding to them would cut off words,
 * or add silence.
 */
export function endOfFrame(wanted: number, video: VideoStream, round: (frames: number) => number): number {
  const { frameDuration } = video;
  if (hasLongFrames(video)) return micros(wanted);
  return micros(Math.max(1, round(wanted / frameDuration)) * frameDuration);
}

/** The new sound: `dubbed.raw`, written by these steps. */
interface DubbedSound {
  steps: Step[];
  channels: number;
  /** A stream with the properties to encode it with. */
  like: StatedAudio;
}

export function pictureAnalyses(picture: Picture, probe: MediaProbe): Analysis[] {
  const spans = spansOf(picture, probe);
  const needed = rangeAnalyses(picture.input, probe, spans);
  const texts = textAnalyses('all', probe);
  return [...(freezes(picture, probe) ? needed.filter(({ kind }) => kind !== 'survey') : needed), ...texts];
}

/**
 * The picture with the new sound, its text tracks and its chapters. Its other sound tracks are left out. Packets are copied where
 * possible, unless the picture ends in a freeze frame.
 */
export function planPicture(
  request: Omit<PlanRequest<unknown>, 'input'>,
  picture: Picture,
  sound: DubbedSound,
  warnings: Warning[],
): Plan {
  const { facts } = request;
  const { packets } = facts;
  const probes: SourceProbes = [probeOf(request.probes, 0)];
  const [probe] = probes;
  const spans = spansOf(picture, probe);
  const work = workOf({ ...request, probes, input: picture.input }, spans, 'mute', warnings);
  const hold = freezes(picture, probe, packets) ? holdUntil(picture.seconds, probe, packets) : null;
  const end = spans.at(-1)?.end ?? 0;
  const ends = holdOf(probe, packets, end).from > end - movingOf(probe).video.frameDuration;
  const seconds = hold?.until ?? totalOf(work.clips);
  const dub = {
    ...{ steps: sound.steps, endsTogether: hold !== null || ends },
    ...{ sound: madeSound(sound, picture, seconds), spliced: spliced(sound, picture, seconds) },
  };
  const plan = planClips({ ...work, dub, ...(hold ? { hold } : {}) }, warnings);
  return keepTracks(plan, { tracks: 'all', format: picture.input.format, probes, facts, soundOf: null });
}

/** How long the last frame must be frozen, in seconds, to justify re-encoding everything. */
const WORTH_FREEZING = 0.25;

/** A dub with the length of its video ends like the video, whatever its last frame. */
function freezes({ seconds, after }: Picture, probe: MediaProbe, packets?: Packets): boolean {
  const { video, duration } = movingOf(probe);
  if (after !== 'freeze' || seconds === duration) return false;
  if (seconds >= duration + video.frameDuration / 2) return true;
  return seconds > holdOf(probe, packets, seconds).from + Math.max(WORTH_FREEZING, video.frameDuration);
}

function spansOf({ seconds, after }: Picture, probe: MediaProbe): [Span, ...Span[]] {
  const { video, duration } = movingOf(probe);
  if (after === 'freeze' || seconds < duration + video.frameDuration / 2) {
    return [{ start: 0, end: Math.min(seconds, duration) }];
  }
  const rounds = Math.floor(seconds / duration);
  if (rounds > MOST_LOOPS) {
    const detail = `The video would be repeated ${rounds} times; at most ${MOST_LOOPS} are allowed. Use \`when_video_shorter: freeze\` or a longer video.`;
    throw new TaskFailure('clip_too_short', detail, { sourceIndex: 0 });
  }
  const rest = seconds - rounds * duration;
  const whole = { start: 0, end: duration };
  const others = Array.from({ length: rounds - 1 }, () => whole);
  return [whole, ...others, ...(rest < video.frameDuration / 2 ? [] : [{ start: 0, end: rest }])];
}

/** A freeze frame up to the end. */
function holdUntil(until: number, probe: MediaProbe, packets: Packets | undefined): Hold {
  const { from, step } = holdOf(probe, packets, until);
  return { from, until, frames: Math.max(1, Math.round((until - from) / step)) };
}

/** Shortest repeated frame in seconds, whatever the distances of frames are. */
const SHORTEST = 1 / 120;

/**
 * When the last frame before `end` has been on screen for the usual frame duration, in seconds of the source, and that
 * duration.
 */
function holdOf(
  probe: MediaProbe,
  packets: Packets | undefined,
  end: number,
): { from: number; step: number } {
  const { video, duration } = movingOf(probe);
  const { frameDuration } = video;
  const times = (packets?.shown ?? new Float64Array()).map((time) => time - probe.origin);
  const last = times.findLast((time) => time < end - SHORTEST);
  if (last === undefined) {
    const first = video.startTime - probe.origin;
    const from = video.frames === null ? duration : first + video.frames * frameDuration;
    return { from: Math.min(from, end), step: frameDuration };
  }
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const step = Math.max(SHORTEST, Math.min(frameDuration, least(gaps)));
  return { from: last + step, step };
}

/** The new sound as it is read by the run that renders or joins the picture. */
function madeSound({ channels, like }: DubbedSound, { input }: Picture, seconds: number): MadeSound {
  const target = audioTarget(like, input.format);
  const length = { name: 'atrim', options: { end_sample: Math.round(seconds * MIX_RATE) } };
  return {
    target,
    inputs: [rawInput('dubbed.raw', mixSamples(channels))],
    chains: [{ from: ['1:0'], filters: [length, ...target.after], to: ['a'] }],
  };
}

function spliced({ steps, channels, like }: DubbedSound, { input }: Picture, seconds: number): SplicedSound {
  const target = soundTarget(like, input.format);
  const file = soundFile(target, steps, {
    inputs: [rawInput('dubbed.raw', mixSamples(channels))],
    chains: [{ from: ['0:0'], filters: target.after, to: ['a'] }],
    seconds,
  });
  return mixedByLibav(file);
}
