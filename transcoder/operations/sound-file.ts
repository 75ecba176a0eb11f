import type { VideoContainer } from '../../schema/fields.ts';
import type { Chain, Input, Render } from '../ffmpeg/step.ts';
import type { Splice, SpliceInput } from '../media/plan.ts';
import { demuxerFor } from './files.ts';
import type { AudioTarget } from './sound.ts';

/** Sound that is encoded by itself, so that its packets can be copied beside those of the picture. */
export interface SoundFile {
  step: Render;
  input: SpliceInput;
  /** Where it is heard, in samples. */
  span: Pick<NonNullable<Splice['audio']>, 'start' | 'end' | 'settle'>;
}

/** One that says by how many samples its encoder leads, so that a container without edit lists can say it too. */
export type SoundContainer = 'm4a' | 'ogg';

export const soundContainer = (format: VideoContainer): SoundContainer => (format === 'webm' ? 'ogg' : 'm4a');

/** @param chains From the inputs to `a`. @param seconds Of the sound. */
export function soundFile(
  { encoding, sampleRate }: AudioTarget,
  made: { inputs: Input[]; chains: Chain[]; seconds: number; container: SoundContainer },
): SoundFile {
  const { inputs, chains, seconds, container } = made;
  const file = `sound.${container}`;
  const audio = { from: 'a', encode: encoding };
  return {
    step: {
      ...{ kind: 'render', inputs, chains, outputs: [{ file, container, video: null, audio }] },
      ...{ seconds, lead: 0 },
    },
    input: { file, format: demuxerFor(container), stream: 0 },
    span: { start: 0, end: Math.round(seconds * sampleRate), settle: 1 },
  };
}
