import type { OperationInput } from '../../../schema/operations/index.ts';
import type { Warning } from '../../../schema/task/task.ts';
import { decimal } from '../../model/decimal.ts';
import type { MediaProbe, StatedAudio } from '../../model/media-probe.ts';
import { least } from '../../model/min-max.ts';
import type { Analysis, Packet, Plan, PlanRequest } from '../../model/plan.ts';
import type { Output, Render, Step } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { soundFile, soundTarget } from './audio-file.ts';
import { audioTarget, probedCodec } from './audio-target.ts';
import { expecting } from './changed-plan.ts';
import type { Span } from './frame-selection.ts';
import { MIX_RATE, rawInput } from './raw-audio.ts';
import type { RangesInput } from './render-range.ts';
import { movingOf } from './require-streams.ts';
import { planSpliced, rangeAnalyses, renderSpans } from './spliced-shots.ts';
import type { SplicedSound } from './spliced-sound.ts';
import { keepTracks, textAnalyses } from './tracks/keep-tracks.ts';

/** Most repetitions of a video. */
const MOST_LOOPS = 100;

/** The picture of a dub: all of the video or its beginning, followed by a freeze frame or repetitions. */
export interface Picture {
  input: Pick<OperationInput<'cut'>, 'quality' | 'codec' | 'format'>;
  /** Of the output. */
  seconds: number;
  after: 'freeze' | 'loop';
}

/** The new sound: `dubbed.raw`, written by these steps. */
interface DubbedSound {
  steps: Step[];
  channels: number;
  /** A stream with the properties to encode it with. */
  like: StatedAudio;
}

/** The picture is made without sound. */
const silent = ({ quality, codec, format }: Picture['input']): RangesInput => ({
  ...{ quality, codec, format },
  ...{ audio: 'mute', fade_in: 0, fade_out: 0 },
});

export function pictureAnalyses(picture: Picture, probe: MediaProbe): Analysis[] {
  const spans = spansOf(picture, probe);
  const needed = rangeAnalyses(silent(picture.input), probe, spans);
  const texts = textAnalyses('all', probe);
  return [...(freezes(picture, probe) ? needed.filter(({ kind }) => kind !== 'survey') : needed), ...texts];
}

/** The picture with the new sound, its text tracks and its chapters. Its other sound tracks are left out. */
export function planPicture(
  request: Omit<PlanRequest<unknown>, 'input'>,
  picture: Picture,
  sound: DubbedSound,
  warnings: Warning[],
): Plan {
  const [probe] = request.probes;
  if (!probe) throw new Error('a dub without a video');
  const plan = withNewSound(request, picture, sound, warnings);
  const { format } = picture.input;
  return keepTracks(plan, { tracks: 'all', format, probes: [probe], facts: request.facts, soundOf: null });
}

/** Packets are copied where possible, unless the picture ends in a freeze frame. */
function withNewSound(
  request: Omit<PlanRequest<unknown>, 'input'>,
  picture: Picture,
  sound: DubbedSound,
  warnings: Warning[],
): Plan {
  const [probe] = request.probes;
  if (!probe) throw new Error('a dub without a video');
  const spans = spansOf(picture, probe);
  const asked = { ...request, probes: [probe], input: silent(picture.input) };
  const plan = renderSpans(asked, spans, warnings);
  const { packets } = request.facts;
  if (freezes(picture, probe, packets)) {
    return withSound(frozen(plan, picture, probe, packets), picture, sound, true);
  }
  const end = spans.at(-1)?.end ?? 0;
  const { from } = holdOf(probe, packets, end);
  const whole = withSound(plan, picture, sound, from > end - movingOf(probe).video.frameDuration);
  return planSpliced(asked, spans, whole, spliced(plan, picture, sound));
}

/** How long the last frame must be frozen, in seconds, to justify re-encoding everything. */
const WORTH_FREEZING = 0.25;

/** A dub with the length of its video ends like the video, whatever its last frame. */
function freezes({ seconds, after }: Picture, probe: MediaProbe, packets?: readonly Packet[]): boolean {
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

/**
 * Extends the plan with a freeze frame up to the end. Repeated frames get explicit times: `tpad` uses a rate guessed by
 * ffmpeg, which is wrong for a variable frame rate.
 */
function frozen(plan: Plan, { seconds }: Picture, probe: MediaProbe, packets?: readonly Packet[]): Plan {
  const [expected] = plan.expect.media;
  const step = plan.steps.at(-1);
  const [chain] = step?.kind === 'render' ? step.chains : [];
  if (step?.kind !== 'render' || !chain || !expected?.video) {
    throw new Error('only a rendered picture can end in a freeze frame');
  }
  const own = expected.video.frames;
  const hold = holdOf(probe, packets, seconds);
  const repeated = Math.max(1, Math.round((seconds - hold.from) / hold.step));
  const each = (seconds - hold.from) / repeated;
  const stop = { name: 'tpad', options: { stop: repeated, stop_mode: 'clone' } };
  const time = `(${decimal(hold.from)}+(N-${own})*${each.toFixed(9)})/TB`;
  const times = { name: 'setpts', options: { expr: `if(lt(N,${own}),PTS,${time})` } };
  const filters = [...chain.filters, stop, ...(own === null ? [] : [times])];
  const frames = own === null ? null : own + repeated;
  return {
    ...expecting(plan, { duration: seconds, video: { ...expected.video, frames } }),
    steps: [
      { ...step, chains: [{ ...chain, filters }], outputs: step.outputs.map(shownUntil(seconds)), seconds },
    ],
    data: { copied_seconds: 0, rendered_seconds: seconds },
  };
}

/** Extends a last frame whose end is stated up to `until`. */
const shownUntil = (until: number) => (output: Output) =>
  'video' in output && output.video?.until !== undefined
    ? { ...output, video: { ...output.video, until } }
    : output;

/** Shortest repeated frame in seconds, whatever the distances of frames are. */
const SHORTEST = 1 / 120;

/**
 * When the last frame before `end` has been on screen for the usual frame duration, in seconds of the source, and that
 * duration.
 */
function holdOf(
  probe: MediaProbe,
  packets: readonly Packet[] | undefined,
  end: number,
): { from: number; step: number } {
  const { video, duration } = movingOf(probe);
  const { frameDuration } = video;
  const times = (packets ?? []).map(({ pts }) => pts - probe.origin).sort((a, b) => a - b);
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

const samplesOf = (plan: Plan) => Math.round((plan.duration ?? 0) * MIX_RATE);

/**
 * Adds this sound to a rendered plan without sound. @param endsTogether Whether the picture is as long as the sound.
 */
function withSound(
  plan: Plan,
  { input }: Picture,
  { steps, channels, like }: DubbedSound,
  endsTogether: boolean,
): Plan {
  const target = audioTarget(like, input.format, { codec: 'auto', kbps: null });
  const last = plan.steps.at(-1);
  const [output] = last?.kind === 'render' ? last.outputs : [];
  if (last?.kind !== 'render' || !output || !('audio' in output)) {
    throw new Error('the last step of the plan does not make a video');
  }
  const mux: Render = {
    ...last,
    inputs: [...last.inputs, rawInput('dubbed.raw', channels)],
    chains: [
      ...last.chains,
      {
        from: [`${last.inputs.length}:0`],
        filters: [{ name: 'atrim', options: { end_sample: samplesOf(plan) } }, ...target.after],
        to: ['a'],
      },
    ],
    outputs: [{ ...output, audio: { from: 'a', encode: target.encoding } }],
  };
  const audio = { codec: probedCodec[target.encoding.encoder] };
  return {
    ...expecting(plan, { audio, endsTogether }),
    steps: [...steps, ...plan.steps.slice(0, -1), mux],
  };
}

function spliced(plan: Plan, { input }: Picture, { steps, channels, like }: DubbedSound): SplicedSound {
  const target = soundTarget(like, input.format);
  const seconds = plan.duration ?? 0;
  const made = soundFile(target, {
    inputs: [rawInput('dubbed.raw', channels)],
    chains: [{ from: ['0:0'], filters: target.after, to: ['a'] }],
    ...{ seconds, format: input.format },
  });
  return {
    steps: [...steps, made.step],
    codec: probedCodec[target.encoding.encoder],
    input: made.input,
    audio: made.span,
  };
}
