import type { VideoContainer } from '../../schema/fields.ts';
import type { Chain, Input, Render } from '../ffmpeg/step.ts';
import type { Splice, SpliceInput } from '../media/plan.ts';
import { demuxerFor, soundOf } from './files.ts';
import type { AudioTarget } from './sound.ts';

/** Sound that is encoded by itself, so that its packets can be copied beside those of the picture. */
export interface SoundFile {
  step: Render;
  input: SpliceInput;
  /** Where it is heard, in samples. */
  span: Pick<NonNullable<Splice['audio']>, 'start' | 'end' | 'settle'>;
}

/** @param chains From the inputs to `a`. @param seconds Of the sound. */
export function soundFile(
  { encoding, sampleRate }: AudioTarget,
  made: { inputs: Input[]; chains: Chain[]; seconds: number; format: VideoContainer },
): SoundFile {
  const { inputs, chains, seconds, format } = made;
  const container = soundOf[format];
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
