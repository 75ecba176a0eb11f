import type { EngineId } from '../../../schema/media/engines.ts';
import type { Background } from '../../../schema/operations/fields/redub.ts';
import type { Warning } from '../../../schema/task/task.ts';
import type { PlanRequest } from '../../model/plan.ts';
import { channelsText } from '../../model/remixed.ts';
import type { AudioStream, MediaProbe } from '../../model/source/media-probe.ts';
import { asLoudIn, soundRepeated, soundSince } from '../../model/source/sound-times.ts';
import { type Filter, type Separate, type Step, withoutGapsOptions } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { exactly, floats, MIX_RATE, mixSamples, rawInput, renderSamples } from '../plan/raw-audio.ts';
import { movingOf } from '../plan/require-streams.ts';
import { separationSteps, separatorsOf } from '../plan/separation.ts';
import type { Laid } from './mix.ts';

const STEREO = 2;

const INSTEAD = '`bg_source: keep` or `none`';

interface Asked {
  /** URL of an external background, which is the last source. */
  url: string | undefined;
  volumeDb: number;
  /** Of the output. */
  seconds: number;
  /** What the picture does after its end; its own sound does the same. */
  after: 'freeze' | 'loop';
  /** Field of the response that names the separation engine. */
  as: Separate['as'];
  warnings: Warning[];
}

interface LaidBackground {
  /** The actual background: a video without sound has none to keep. */
  source: Background;
  laid: Laid | null;
  /** The engine that removes the voices. */
  separation: EngineId | null;
  /** Steps to run first. */
  steps: Step[];
}

/** Throws `source_no_audio`, `source_not_stereo`, `engine_unavailable`. */
export function backgroundLaid(
  { probes, engines: present }: Pick<PlanRequest<unknown>, 'probes' | 'engines'>,
  source: Background,
  asked: Asked,
): LaidBackground {
  const none: LaidBackground = { source: 'none', laid: null, separation: null, steps: [] };
  const { volumeDb, warnings } = asked;
  const [video] = probes;
  if (source === 'none' || !video) return none;
  if (source === 'external') {
    const index = probes.length - 1;
    const music = probes[index];
    if (!music?.audio) {
      throw new TaskFailure('source_no_audio', 'The background at bg_url has no audio.', {
        sourceIndex: index,
      });
    }
    const input = { source: index, seek: null, loop: true };
    warnings.push(...madeStereo('background', music.audio));
    const laid = {
      input,
      stream: music.audio.index,
      filters: [...soundRepeated(music.audio, MIX_RATE), ...asLoudIn(STEREO, music.audio)],
      volumeDb,
    };
    return { source, laid, separation: null, steps: [] };
  }
  if (!video.audio) {
    warnings.push({ code: 'audio_missing', detail: 'The video has no audio to keep as the background.' });
    return none;
  }
  warnings.push(...madeStereo('video', video.audio));
  const stream = video.audio.index;
  const own = { source: 0, seek: null };
  const rounds = asked.after === 'loop' ? Math.ceil(asked.seconds / movingOf(video).duration) : 1;
  if (source === 'keep' && rounds === 1) {
    const laid = {
      input: own,
      stream,
      filters: [...fromOrigin(video), ...asLoudIn(STEREO, video.audio)],
      volumeDb,
    };
    return { source, laid, separation: null, steps: [] };
  }
  const laid = { input: rawInput('backing.raw', mixSamples(STEREO)), stream: 0, filters: [], volumeDb };
  const music = rounds === 1 ? 'backing.raw' : ROUND;
  const repeated = rounds === 1 ? [] : [repeatedRound(rounds)];
  const seconds = rounds === 1 ? asked.seconds : movingOf(video).duration;
  const round = [...fromOrigin(video), ...exactly(Math.round(seconds * MIX_RATE))];
  if (source === 'keep') {
    const filters = [...round, ...asLoudIn(STEREO, video.audio), floats(mixSamples(STEREO))];
    const chains = [{ from: [`0:${stream}`], filters, to: ['round'] }];
    const once = renderSamples(music, { inputs: [own], chains, from: 'round', seconds });
    return { source, laid, separation: null, steps: [once, ...repeated] };
  }
  const engines = separatorsOf(source === 'separate' ? 'auto' : 'centre_mask', video.audio, present, INSTEAD);
  const length: Filter = { name: 'atrim', options: { end: seconds } };
  const [separation] = engines;
  const separated = separationSteps({
    ...{ engines, input: own, stream: video.audio, seconds },
    ...{ filters: rounds === 1 ? [...fromOrigin(video), length] : round },
    ...{ sampleRate: MIX_RATE, vocals: null, music, as: asked.as, alike: 'refused' },
  });
  return { source, laid, separation, steps: [...separated, ...repeated] };
}

const ROUND = 'round.raw';

/** The sound of a video that is repeated, as long in each round as its picture. */
const repeatedRound = (rounds: number): Step => ({
  ...{ kind: 'append', file: 'backing.raw' },
  parts: Array.from({ length: rounds }, () => ROUND),
});

const sounds = {
  ...{ source: 'The source', voice: 'The voice', video: 'The sound of the video' },
  background: 'The background at `bg_url`',
};

/** A warning if a sound loses channels, as every mix with a voice has two. */
export function madeStereo(what: keyof typeof sounds, stream: AudioStream): Warning[] {
  if (stream.channels <= STEREO) return [];
  const detail = `${sounds[what]} has ${channelsText(stream)}. It was mixed down to stereo.`;
  return [{ code: 'channels_mixed', detail }];
}

/** Makes times relative to the start of the video; a late start becomes silence. */
const fromOrigin = (probe: MediaProbe): Filter[] => [
  ...soundSince(probe.audio, probe.origin),
  { name: 'aresample', options: { osr: MIX_RATE, ...withoutGapsOptions } },
];
