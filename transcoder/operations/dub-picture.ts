import { type OperationInput, operations } from '../../schema/operations/index.ts';
import type { Warning } from '../../schema/task.ts';
import { TaskFailure } from '../failure.ts';
import type { Render, Step } from '../ffmpeg/step.ts';
import type { Analysis, Means, Plan, PlanRequest } from '../media/plan.ts';
import type { AudioStream, MediaProbe } from '../media/probe.ts';
import { cut } from './cut.ts';
import { planJoined } from './cut-joined.ts';
import { planRange } from './cut-range.ts';
import { planSpliced, type SplicedSound, surveys } from './cut-splice.ts';
import { MIX_RATE, rawInput } from './dub-mix.ts';
import { audioTarget, probedCodec } from './sound.ts';
import { soundFile, soundTarget } from './sound-file.ts';
import { micros, movingOf } from './source.ts';
import type { Span } from './timeline.ts';

type CutInput = OperationInput<'cut'>;

/** So often a video is repeated at most. */
const MOST_LOOPS = 100;

/** What the picture of a dub shows: the whole video or its beginning, then its last picture or itself again. */
export interface Picture {
  input: Pick<CutInput, 'quality' | 'codec' | 'format'>;
  /** Seconds of the result. */
  seconds: number;
  after: 'freeze' | 'loop';
}

/** The new sound: `dubbed.raw`, made by these steps. */
export interface DubbedSound {
  steps: Step[];
  channels: number;
  /** What it is encoded like. */
  like: AudioStream;
}

/** The cut that shows this picture without its sound. */
const cutInput = ({ quality, codec, format }: Picture['input'], [{ end }]: [Span, ...Span[]]): CutInput =>
  operations.cut.input.parse({
    ...{ video_url: 'https://source.invalid/', audio: 'mute', end },
    ...{ quality, codec, format },
  });

/** What has to be known of the video. */
export function pictureAnalyses(picture: Picture, probe: MediaProbe, means: Means): Analysis[] {
  const spans = spansOf(picture, probe);
  const input = cutInput(picture.input, spans);
  const needed = cut.analyses(input, [probe], means);
  const around = needed.filter(({ kind }) => kind !== 'survey');
  return [...(freezes(picture, probe) ? [] : surveys(input, probe, spans)), ...around];
}

/** The picture with the new sound: its packets copied where that can be, but where its last picture stands still. */
export function planPicture(
  request: Omit<PlanRequest<unknown>, 'input'>,
  picture: Picture,
  sound: DubbedSound,
  warnings: Warning[],
): Plan {
  const [probe] = request.probes;
  if (!probe) throw new Error('a dub without a video');
  const spans = spansOf(picture, probe);
  const asked = { ...request, probes: [probe], input: cutInput(picture.input, spans) };
  const plan = (spans.length === 1 ? planRange : planJoined)(asked, spans, warnings);
  if (freezes(picture, probe)) return withSound(frozen(plan, picture, probe), picture, sound);
  return planSpliced(asked, spans, withSound(plan, picture, sound), spliced(plan, picture, sound));
}

function freezes({ seconds, after }: Picture, probe: MediaProbe): boolean {
  const { video, duration } = movingOf(probe);
  return after === 'freeze' && seconds >= duration + video.frameDuration / 2;
}

function spansOf({ seconds, after }: Picture, probe: MediaProbe): [Span, ...Span[]] {
  const { video, duration } = movingOf(probe);
  if (after === 'freeze' || seconds < duration + video.frameDuration / 2) {
    return [{ start: 0, end: Math.min(seconds, duration) }];
  }
  const rounds = Math.floor(seconds / duration);
  if (rounds > MOST_LOOPS) {
    const detail = `The video would be repeated ${rounds} times; ${MOST_LOOPS} is the most.`;
    throw new TaskFailure('clip_too_short', detail, { sourceIndex: 0 });
  }
  const rest = seconds - rounds * duration;
  const whole = { start: 0, end: duration };
  const others = Array.from({ length: rounds - 1 }, () => whole);
  return [whole, ...others, ...(rest < video.frameDuration / 2 ? [] : [{ start: 0, end: rest }])];
}

/** The same plan with its last picture held up to the end. */
function frozen(plan: Plan, { seconds }: Picture, probe: MediaProbe): Plan {
  const { video, duration } = movingOf(probe);
  const held = Math.round((seconds - duration) / video.frameDuration);
  const total = micros(duration + held * video.frameDuration);
  const step = plan.steps.at(-1);
  const [chain] = step?.kind === 'render' ? step.chains : [];
  if (step?.kind !== 'render' || !chain) throw new Error('a picture that is not rendered cannot be held');
  const stop = { name: 'tpad', options: { stop: held, stop_mode: 'clone' } };
  const filters = [...chain.filters, stop];
  const media = plan.expect.media.map((media) => ({
    ...media,
    duration: total,
    video: media.video && { ...media.video, frames: (media.video.frames ?? 0) + held },
  }));
  return {
    ...plan,
    steps: [{ ...step, chains: [{ ...chain, filters }], seconds: total }],
    expect: { ...plan.expect, media },
    duration: total,
    data: { copied_seconds: 0, rendered_seconds: total },
  };
}

const samplesOf = (plan: Plan) => Math.round((plan.duration ?? 0) * MIX_RATE);

/** A rendered plan without sound with this one in it. */
function withSound(plan: Plan, { input }: Picture, { steps, channels, like }: DubbedSound): Plan {
  const target = audioTarget(like, input.format, { codec: 'auto', kbps: null });
  const [expected] = plan.expect.media;
  const last = plan.steps.at(-1);
  const [output] = last?.kind === 'render' ? last.outputs : [];
  if (!expected || last?.kind !== 'render' || !output || !('audio' in output)) {
    throw new Error('a plan whose last step makes no video');
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
    ...plan,
    steps: [...steps, ...plan.steps.slice(0, -1), mux],
    expect: { ...plan.expect, media: [{ ...expected, audio, endsTogether: true }] },
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
    audio: { input: 1, ...made.span },
  };
}
