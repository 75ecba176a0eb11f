import type { VideoContainer } from '../../../schema/operations/fields/fields.ts';
import type { StatedAudio } from '../../model/source/media-probe.ts';
import type { Chain, Input, Mix, Render, Splice, SpliceInput, Step } from '../../model/steps.ts';
import { type AudioTarget, audioTarget } from './audio-target.ts';
import { demuxerFor } from './output-files.ts';

/**
 * Container of the separately encoded sound. It must store the encoder delay, which is needed to mux into containers
 * without edit lists.
 */
const containerOf = (format: VideoContainer) => (format === 'webm' ? 'ogg' : 'm4a');

/** How sound next to spliced packets is encoded. */
export const soundTarget = (stream: StatedAudio, format: VideoContainer): AudioTarget =>
  audioTarget(stream, containerOf(format), { codec: 'auto', kbps: null });

/** Sound as an input of a splice, and the steps that make it. */
export interface SplicedSound {
  steps: readonly Step[];
  codec: string;
  input: SpliceInput;
  audio: Pick<NonNullable<Splice['audio']>, 'start' | 'end' | 'settle' | 'rate'>;
}

interface SoundFile {
  step: Render;
  input: SpliceInput;
  /** The audible samples, without encoder delay. */
  span: SplicedSound['audio'];
}

/** Runs the steps that produce sound in libav. */
export const mixedByLibav = (steps: readonly Step[]): (Step | Mix)[] =>
  steps.map((step) => (step.kind === 'render' ? { ...step, kind: 'mix' } : step));

/** @param chains From the inputs to `a`. @param seconds Of the sound. */
export function soundFile(
  { encoding, sampleRate }: AudioTarget,
  made: { inputs: Input[]; chains: Chain[]; seconds: number; format: VideoContainer },
): SoundFile {
  const { inputs, chains, seconds, format } = made;
  const container = containerOf(format);
  const file = `sound.${container}`;
  const audio = { from: 'a', encode: encoding };
  return {
    step: {
      ...{ kind: 'render', inputs, chains, outputs: [{ file, container, video: null, audio }] },
      ...{ seconds, weight: seconds / 10, lead: 0 },
    },
    input: { file, format: demuxerFor(container), stream: 0 },
    span: { start: 0, end: Math.round(seconds * sampleRate), settle: 1 },
  };
}
