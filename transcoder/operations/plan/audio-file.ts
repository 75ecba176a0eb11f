import type { VideoContainer } from '../../../schema/operations/fields/fields.ts';
import type { StatedAudio } from '../../model/media-probe.ts';
import type { Chain, Input, Mix, Render, Splice, SpliceInput, Step } from '../../model/steps.ts';
import { type AudioTarget, audioTarget } from './audio-target.ts';
import { demuxerFor } from './output-files.ts';

/**
 * The container in which sound is encoded by itself, to be copied beside the picture. It says by how many samples the
 * encoder leads, so that a container without edit lists can say it too.
 */
const containerOf = (format: VideoContainer) => (format === 'webm' ? 'ogg' : 'm4a');

/** How the sound beside spliced packets is encoded. */
export const soundTarget = (stream: StatedAudio, format: VideoContainer): AudioTarget =>
  audioTarget(stream, containerOf(format), { codec: 'auto', kbps: null });

export interface SoundFile {
  step: Render;
  input: SpliceInput;
  /** Where it is heard, in samples. */
  span: Pick<NonNullable<Splice['audio']>, 'start' | 'end' | 'settle'>;
}

/** The same steps with the sound made by the engine. */
export const mixedByEngine = (steps: readonly Step[]): (Step | Mix)[] =>
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
