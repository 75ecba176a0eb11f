import type { EngineId } from '../../../schema/media/engines.ts';
import type { AudioStream } from '../../model/source/media-probe.ts';
import { asLoudIn } from '../../model/source/sound-times.ts';
import type { Filter, Render, Separate } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { floats, renderSamples } from './raw-audio.ts';
import { enginesThatServe } from './select-engine.ts';

const STEREO = 2;
const OWN = 'own.raw';

/**
 * The engines that can remove the voices from this sound, best first. Throws `engine_unavailable`, `source_not_stereo`.
 * @param instead What else the caller can use for mono.
 */
export function separatorsOf(
  asked: 'auto' | EngineId,
  { channels }: AudioStream,
  present: ReadonlySet<EngineId>,
  instead: string,
): [EngineId, ...EngineId[]] {
  const serving = enginesThatServe('separate', asked, present);
  const [best, ...others] = channels < STEREO ? serving.filter((id) => id !== 'centre_mask') : serving;
  if (best) return [best, ...others];
  throw new TaskFailure(
    'source_not_stereo',
    `The audio is mono. The built-in engine separates voices by their position and needs stereo. Give a stereo source, or use ${instead}.`,
    { sourceIndex: 0 },
  );
}

interface Separation extends Pick<Separate, 'engines' | 'sampleRate' | 'vocals' | 'music' | 'as' | 'alike'> {
  input: Render['inputs'][number];
  /** The stream of the input. */
  stream: AudioStream;
  /** Filters that move the sound to its time in the output. */
  filters: Filter[];
  seconds: number;
}

/** Decodes sound and separates it into two stereo stems. */
export function separationSteps({ input, stream, filters, ...asked }: Separation): [Render, Separate] {
  const { seconds, sampleRate } = asked;
  return [
    renderSamples(OWN, {
      inputs: [input],
      chains: [
        {
          from: [`0:${stream.index}`],
          filters: [...filters, ...asLoudIn(STEREO, stream), floats({ sampleRate, layout: 'stereo' })],
          to: ['own'],
        },
      ],
      ...{ from: 'own', seconds },
    }),
    { kind: 'separate', from: OWN, ...asked, source: 0 },
  ];
}
