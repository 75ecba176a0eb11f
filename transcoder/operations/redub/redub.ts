import { engineUsedOf } from '../../../schema/media/engines.ts';
import { backgroundOf } from '../../../schema/operations/fields/redub.ts';
import type { OperationInput } from '../../../schema/operations/index.ts';
import type { Planner, PlanRequest } from '../../model/plan.ts';
import type { AudioStream, MediaProbe } from '../../model/source/media-probe.ts';
import { onBothSides, soundSince } from '../../model/source/sound-times.ts';
import { type Filter, withoutGapsOptions } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { endOfFrame, type Picture, pictureAnalyses, planPicture } from '../plan/dubbed-picture.ts';
import { fitFades } from '../plan/fit-fades.ts';
import type { Span } from '../plan/frames.ts';
import { MIX_RATE } from '../plan/raw-audio.ts';
import { lengthOf, movingOf, shown, soundSeconds } from '../plan/require-streams.ts';
import { backgroundLaid, madeStereo } from './background.ts';
import { spokenIn, staysLowered } from './ducking.ts';
import { type Mix, mixSteps } from './mix.ts';
import { reported } from './report.ts';

type Input = OperationInput<'redub'>;

const VOICE = 1;

export const redub: Planner<Input> = {
  analyses: (input, probes) => {
    const { video, voice } = partsOf(probes);
    return [
      ...pictureAnalyses(pictureOf(input, probes), video),
      ...(lowersBackground(input, video)
        ? [{ kind: 'levels' as const, source: VOICE, stream: voice.stream.index }]
        : []),
    ];
  },
  again: ({ input, probes, facts }) => {
    const { video, voice } = partsOf(probes);
    const levels = facts.sources?.[VOICE]?.levels;
    return lowersBackground(input, video) && levels && staysLowered(levels)
      ? [{ kind: 'voice', source: VOICE, stream: voice.stream.index }]
      : [];
  },
  plan: (request) => {
    const { input, probes } = request;
    const { video, voice } = partsOf(probes);
    const warnings = madeStereo('voice', voice.stream);
    const picture = pictureOf(input, probes);
    const background = backgroundLaid(request, wantedBackground(input), {
      ...{ url: input.bg_url, volumeDb: input.bg_volume_db, seconds: picture.seconds, after: picture.after },
      ...{ as: 'engine', warnings },
    });
    const samples = Math.round(picture.seconds * MIX_RATE);
    const mono = voice.stream.channels === 1;
    const channels = background.laid || !mono ? 2 : 1;
    const mix: Mix = {
      voice: {
        input: { source: VOICE, seek: null, loop: input.when_audio_shorter === 'loop' },
        stream: voice.stream.index,
        filters: [...placed(voice.probe, input), ...(mono && channels > 1 ? [onBothSides] : [])],
        volumeDb: input.voice_volume_db,
      },
      background: background.laid,
      duckDb: input.duck ? input.duck_db : null,
      spoken: spokenOf(request, picture.seconds),
      channels,
      samples,
      fades: fitFades({ in: input.fade_in, out: input.fade_out }, picture.seconds, warnings),
      lufs: input.normalize_lufs ?? null,
    };
    const like: AudioStream = {
      ...(video.audio ?? voice.stream),
      ...{ sampleRate: MIX_RATE, channels: mix.channels, bitsPerSample: null },
    };
    const sound = { steps: [...background.steps, ...mixSteps(mix)], channels: mix.channels, like };
    const plan = planPicture(request, picture, sound, warnings);
    const engine = background.separation && engineUsedOf(background.separation);
    return reported(plan, samples, { background: background.source, engine });
  },
};

const wantedBackground = (input: Input) => backgroundOf(input, input.mode === 'mix' ? 'keep' : 'none');

function lowersBackground(input: Input, video: MediaProbe): boolean {
  const background = wantedBackground(input);
  return input.duck && (background === 'external' || (background !== 'none' && video.audio !== null));
}

/** Where the voice speaks in the output; null if that was not looked for, or it never does. */
function spokenOf({ input, probes, facts }: PlanRequest<Input>, seconds: number): Span[] | null {
  const { levels, voice } = facts.sources?.[VOICE] ?? {};
  const once = spokenIn(levels, voice);
  if (!once) return null;
  const { voice: spoken } = partsOf(probes);
  const length = voiceSeconds(spoken);
  // ffmpeg repeats a sound without the silence before its first sample.
  const round = length - Math.max(0, spoken.stream.startTime - spoken.probe.origin);
  const times = input.when_audio_shorter === 'loop' ? Math.ceil((seconds - input.offset) / round) : 1;
  const spans = Array.from({ length: Math.max(1, times) }, (_, time) =>
    once.map(({ start, end }) => ({
      start: Math.max(start, 0) + time * round + input.offset,
      end: Math.min(end, length) + time * round + input.offset,
    })),
  ).flat();
  return spans.filter(({ start, end }) => end > 0 && start < seconds);
}

interface Voice {
  probe: MediaProbe;
  stream: AudioStream;
}

/** Until the end of the voice, which the pictures of its file may outlast. */
const voiceSeconds = ({ probe, stream }: Voice) => soundSeconds(probe, stream, lengthOf(probe));

function partsOf(probes: readonly MediaProbe[]): { video: MediaProbe; voice: Voice } {
  const [video, probe] = probes;
  if (!video || !probe) throw new Error('a redub needs a video and a voice');
  movingOf(video);
  if (probe.audio) return { video, voice: { probe, stream: probe.audio } };
  throw new TaskFailure('source_no_audio', 'The voice has no audio.', { sourceIndex: VOICE });
}

/** Length of the output. Throws `time_out_of_range` if nothing is left. */
function pictureOf(input: Input, probes: readonly MediaProbe[]): Picture {
  const { video: probe, voice } = partsOf(probes);
  const { video, duration } = movingOf(probe);
  const voiceEnd = voiceSeconds(voice) + input.offset;
  if (voiceEnd <= 0 || (input.length_policy !== 'audio' && input.offset >= duration)) {
    const detail = `With an offset of ${shown(input.offset)} s, the voice lies completely outside the output. Use another offset.`;
    throw new TaskFailure('time_out_of_range', detail, { sourceIndex: VOICE });
  }
  const wanted = { video: duration, audio: voiceEnd, shortest: Math.min(duration, voiceEnd) }[
    input.length_policy
  ];
  return {
    input,
    seconds: wanted === duration ? duration : endOfFrame(wanted, video, Math.round),
    after: input.when_video_shorter,
  };
}

/** Moves the voice by its offset; a negative offset cuts off its beginning. */
function placed(probe: MediaProbe, { offset }: Input): Filter[] {
  const at = Math.round(Math.abs(offset) * MIX_RATE);
  return [
    ...soundSince(probe.audio, probe.origin),
    { name: 'aresample', options: { osr: MIX_RATE, ...withoutGapsOptions } },
    ...(offset < 0
      ? [
          { name: 'atrim', options: { start_sample: at } },
          { name: 'asetpts', options: { expr: 'PTS-STARTPTS' } },
        ]
      : []),
    ...(offset > 0 && at > 0 ? [{ name: 'adelay', options: { delays: `${at}S`, all: 1 } }] : []),
  ];
}
