import { type EngineId, engineUsedOf } from '../../../schema/media/engines.ts';
import type { OperationInput } from '../../../schema/operations/index.ts';
import type { Warning } from '../../../schema/task/task.ts';
import type { Analysis, Plan, Planner, PlanRequest } from '../../model/plan.ts';
import type { AudioStream, MediaProbe } from '../../model/source/media-probe.ts';
import { onBothSides } from '../../model/source/sound-times.ts';
import type { Convert, Filter, Render, Step } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { audioOnlyTarget } from '../plan/audio-target.ts';
import { described } from '../plan/changed-plan.ts';
import { type Picture, pictureAnalyses, planPicture } from '../plan/dubbed-picture.ts';
import { type MediaRun, planMedia, shownWhole } from '../plan/output.ts';
import { soundOf as soundContainer } from '../plan/output-files.ts';
import { exactly, floats, MIX_RATE, mixSamples, rawInput, renderSamples } from '../plan/raw-audio.ts';
import { wholeAudio } from '../plan/render-whole.ts';
import { movingOf } from '../plan/require-streams.ts';
import { separationSteps } from '../plan/separation.ts';
import { keepLanguage } from '../plan/tracks/keep-tracks.ts';
import { madeStereo } from './background.ts';
import { mixSteps } from './mix.ts';
import { reported } from './report.ts';
import { conversionOf } from './voice-conversion.ts';

type Input = OperationInput<'redub_vc'>;

const STEREO = 2;
const SAMPLE = 1;
/** Most seconds of a voice sample that are analyzed. */
const SAMPLE_SECONDS = 30;

const metadata = {
  comment: 'The voice was converted. Whoever asked for it stated the consent of the owners of both voices.',
};

export const redubVc: Planner<Input> = {
  analyses: (input, probes) => {
    const { probe, stream } = heardIn(probes, 0);
    const loudness: Analysis = { kind: 'loudness', source: 0, stream: stream.index };
    const picture = input.video_url === undefined ? [] : pictureAnalyses(pictureOf(input, probe), probe);
    return [...picture, ...(input.normalize_lufs === undefined ? [loudness] : [])];
  },
  plan: (request) => {
    const { input, probes, facts } = request;
    const { probe, stream, seconds } = heardIn(probes, 0);
    const warnings = madeStereo('source', stream);
    const samples = Math.round(seconds * MIX_RATE);
    const conversion = conversionOf(input, request.engines, samples);
    const lufs = input.normalize_lufs ?? facts.loudness?.integrated ?? null;
    const { steps, channels, separation } = stepsOf(request, conversion, { seconds, samples });
    const level = mixSteps({
      voice: {
        input: rawInput(conversion.file, mixSamples(1)),
        stream: 0,
        filters: channels === STEREO ? [onBothSides] : [],
        volumeDb: 0,
      },
      background:
        separation === null
          ? null
          : {
              input: rawInput('music.raw', mixSamples(STEREO)),
              ...{ stream: 0, filters: [], volumeDb: 0 },
            },
      ...{ duckDb: null, spoken: null, channels, samples, fades: { in: 0, out: 0 }, lufs },
    });
    const sound = { steps: [...steps, ...level], channels };
    const plan =
      input.video_url === undefined
        ? keepLanguage(soundPlan(request, sound, seconds, warnings), probe)
        : planPicture(
            request,
            pictureOf(input, probe),
            { ...sound, like: likeOf(request.probes, channels) },
            warnings,
          );
    const [engine = 'rubberband'] = conversion.engines;
    return reported(described(plan, { metadata }), samples, {
      ...{ consent: true, engine: engineUsedOf(engine), separation: separation && engineUsedOf(separation) },
      ...{ segments: null, max_drift_ms: null, pitch_semitones: null, formant_semitones: null },
    });
  },
};

const narrow: Filter = { name: 'pan', options: { args: 'mono|c0=0.5*c0+0.5*c1' } };

/** Throws `source_no_audio`. */
function heardIn(
  probes: readonly MediaProbe[],
  source: number,
): { probe: MediaProbe; stream: AudioStream; seconds: number } {
  const probe = probes[source];
  if (probe?.audio) {
    return { probe, stream: probe.audio, seconds: probe.duration };
  }
  const what = source === SAMPLE ? 'The voice sample' : 'The source';
  throw new TaskFailure('source_no_audio', `${what} has no audio.`, { sourceIndex: source });
}

const pictureOf = (input: Input, probe: MediaProbe): Picture => ({
  input,
  seconds: movingOf(probe).duration,
  after: 'freeze',
});

/** The engines that can separate the voices; none if separation is not possible. */
function separatorsIn({ input, probes, engines }: PlanRequest<Input>): EngineId[] {
  const { stream } = heardIn(probes, 0);
  if (!input.preserve_background) return [];
  const present = (['spleeter', 'centre_mask'] as const).filter((id) => engines.has(id));
  return stream.channels < STEREO ? present.filter((id) => id !== 'centre_mask') : present;
}

/** Steps that write `voice.raw`, the converted speech in mono, and `music.raw` if the voices are separated. */
function stepsOf(
  request: PlanRequest<Input>,
  conversion: Convert,
  { seconds, samples }: { seconds: number; samples: number },
): { steps: Step[]; channels: number; separation: EngineId | null } {
  const { probes } = request;
  const { probe, stream } = heardIn(probes, 0);
  const engines = separatorsIn(request);
  const [separation = null] = engines;
  const input = { source: 0, seek: null };
  const sample =
    conversion.sample === null ? [] : [decoded(heardIn(probes, SAMPLE), SAMPLE, conversion.sample)];
  if (separation === null) {
    const own = decoded({ probe, stream, seconds }, 0, conversion.from, exactly(samples));
    return { steps: [own, ...sample, conversion], channels: Math.min(STEREO, stream.channels), separation };
  }
  const filters: Filter[] = [
    ...wholeAudio(probe),
    { name: 'aresample', options: { osr: MIX_RATE } },
    ...exactly(samples),
  ];
  const steps: Step[] = [
    ...separationSteps({
      ...{ engines, input, stream, filters, sampleRate: MIX_RATE, seconds },
      ...{ vocals: 'vocals.raw', music: 'music.raw', as: 'separation', alike: 'all voice' },
    }),
    renderSamples(conversion.from, {
      inputs: [rawInput('vocals.raw', mixSamples(STEREO))],
      chains: [{ from: ['0:0'], filters: [narrow, floats(mixSamples(1))], to: ['speech'] }],
      ...{ from: 'speech', seconds },
    }),
  ];
  return { steps: [...steps, ...sample, conversion], channels: STEREO, separation };
}

/** Decodes sound to mono at the mix rate. */
function decoded(
  { probe, stream, seconds }: { probe: MediaProbe; stream: AudioStream; seconds: number },
  source: number,
  file: string,
  length: Filter[] = [{ name: 'atrim', options: { end: SAMPLE_SECONDS } }],
): Render {
  const down =
    stream.channels > 1 ? [{ name: 'aformat', options: { channel_layouts: 'stereo' } }, narrow] : [];
  const filters = [...wholeAudio(probe), ...down, floats(mixSamples(1)), ...length];
  return renderSamples(file, {
    inputs: [{ source, seek: null }],
    chains: [{ from: [`0:${stream.index}`], filters, to: ['speech'] }],
    ...{ from: 'speech', seconds },
  });
}

const likeOf = (probes: readonly MediaProbe[], channels: number): AudioStream => ({
  ...heardIn(probes, 0).stream,
  ...{ sampleRate: MIX_RATE, channels, bitsPerSample: null },
});

/** A recording without a picture. */
function soundPlan(
  { input, probes }: PlanRequest<Input>,
  { steps, channels }: { steps: Step[]; channels: number },
  seconds: number,
  warnings: Warning[],
): Plan {
  const container = soundContainer[input.format];
  const target = audioOnlyTarget(likeOf(probes, channels), container);
  const run: MediaRun = {
    ...{ container, picture: null, sound: { from: 'a', encode: target.encoding } },
    inputs: [rawInput('dubbed.raw', mixSamples(channels))],
    chains: [{ from: ['0:0'], filters: target.after, to: ['a'] }],
    ...{ duration: seconds, weight: seconds / 10 },
  };
  return planMedia(steps, run, { shows: shownWhole(seconds), copied: 0, warnings });
}
