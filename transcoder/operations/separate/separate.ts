import { engineUsedOf } from '../../../schema/media/engines.ts';
import type { OperationInput } from '../../../schema/operations/index.ts';
import { type Stem, stemNames } from '../../../schema/operations/separate.ts';
import type { Plan, Planner, PlanRequest } from '../../model/plan.ts';
import type { AudioStream, MediaProbe } from '../../model/source/media-probe.ts';
import type { Step } from '../../model/steps.ts';
import { audioTarget } from '../plan/audio-target.ts';
import { withData, withFiles } from '../plan/changed-plan.ts';
import { type Picture, pictureAnalyses, planPicture } from '../plan/dubbed-picture.ts';
import { type MediaRun, mediaRun, planOf, shownWhole, type Written } from '../plan/output.ts';
import { exactly, floats, MIX_RATE, mixSamples, rawInput, renderSamples } from '../plan/raw-audio.ts';
import { wholeAudio } from '../plan/render-whole.ts';
import { audioOf, lengthOf, movingOf, only } from '../plan/require-streams.ts';
import { separationSteps, separatorsOf } from '../plan/separation.ts';

type Input = OperationInput<'separate'>;

const STEREO = 2;
/** Bit depth of stems in lossless formats. */
const BITS = 24;

const INSTEAD = '`engine: spleeter` if `GET /capabilities` lists it as available';

export const separate: Planner<Input> = {
  analyses: (input, probes) => {
    const { probe } = soundOf(probes);
    return input.return_video === 'none' ? [] : pictureAnalyses(pictureOf(probe), probe);
  },
  plan: (request) => {
    const { input, probes, engines: present } = request;
    const { probe, stream, seconds } = soundOf(probes);
    const engines = separatorsOf(input.engine, stream, present, INSTEAD);
    const video = { none: null, vocals: 'vocals', instrumental: 'music' } as const;
    const shown = video[input.return_video];
    const wanted = stemNames.filter((name) => input.stems === 2 || input.stems.includes(name));
    const made = stemNames.filter((name) => name === shown || wanted.includes(name));
    const { sampleRate } = stream;
    const length = exactly(Math.round(seconds * sampleRate));
    const raw = (name: Stem) => (made.includes(name) ? rawOf(name) : null);
    const steps: Step[] = [
      ...separationSteps({
        ...{ engines, sampleRate, vocals: raw('vocals'), music: raw('music'), seconds, as: 'engine' },
        alike: 'refused',
        input: { source: 0, seek: null },
        stream,
        filters: [...wholeAudio(probe), ...length],
      }),
      { kind: 'headroom', files: made.map(rawOf) },
    ];
    const stems = wanted.map((name) => stemOf(name, input, stream, seconds));
    const data = { stems: wanted, engine: engineUsedOf(engines[0]), gain_db: null };
    const plan = shown
      ? withFiles(withVideo(request, shown, steps), stems)
      : planOf({
          steps: [...steps, ...stems.map(({ step }) => step)],
          ...{ files: stems, shows: shownWhole(seconds), copied: 0 },
        });
    return withData(plan, data);
  },
};

const rawOf = (name: Stem) => `${name}.raw`;
const stemInput = (name: Stem, { sampleRate }: AudioStream) =>
  rawInput(rawOf(name), { sampleRate, layout: 'stereo' });

function soundOf(probes: readonly MediaProbe[]): { probe: MediaProbe; stream: AudioStream; seconds: number } {
  const probe = only(probes);
  return { probe, stream: audioOf(probe), seconds: lengthOf(probe) };
}

const pictureOf = (probe: MediaProbe): Picture => ({
  input: { quality: 'match_source', codec: 'auto', format: 'mp4' },
  seconds: movingOf(probe).duration,
  after: 'freeze',
});

/** The video with this stem as its sound. */
function withVideo(request: PlanRequest<Input>, shown: Stem, before: Step[]): Plan {
  const { probe, stream } = soundOf(request.probes);
  const picture = pictureOf(probe);
  const samples = Math.round(picture.seconds * MIX_RATE);
  const laid = renderSamples('dubbed.raw', {
    inputs: [stemInput(shown, stream)],
    chains: [{ from: ['0:0'], filters: [floats(mixSamples(STEREO)), ...exactly(samples)], to: ['sound'] }],
    ...{ from: 'sound', seconds: picture.seconds },
  });
  const like = { ...stream, sampleRate: MIX_RATE, channels: STEREO, bitsPerSample: null };
  return planPicture(request, picture, { steps: [...before, laid], channels: STEREO, like }, []);
}

function stemOf(name: Stem, { format, bitrate_kbps }: Input, stream: AudioStream, seconds: number): Written {
  const like = { ...stream, channels: STEREO, bitsPerSample: BITS };
  const target = audioTarget(like, format, { codec: 'auto', kbps: bitrate_kbps });
  const run: MediaRun = {
    ...{ container: format, picture: null, sound: { from: 'a', encode: target.encoding } },
    inputs: [stemInput(name, stream)],
    chains: [{ from: ['0:0'], filters: target.after, to: ['a'] }],
    ...{ duration: seconds, weight: seconds / 10 },
  };
  return mediaRun(run, { role: name, file: `${name}.${format}` });
}
