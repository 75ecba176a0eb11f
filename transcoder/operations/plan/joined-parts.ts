import type { VideoContainer } from '../../../schema/operations/fields/fields.ts';
import type { VideoEncoding } from '../../model/encoding.ts';
import type { ExpectedMedia, Plan } from '../../model/plan.ts';
import type { Chain, Filter, Input, Output, Step, WriteList } from '../../model/steps.ts';
import type { AudioTarget } from './audio-target.ts';
import type { FrameRate } from './frame-rate.ts';
import { planMedia, type Result } from './output.ts';
import { rawInput } from './raw-audio.ts';

interface Joined extends Pick<ExpectedMedia, 'duration' | 'tolerance' | 'endsTogether'> {
  container: VideoContainer;
  /** Files of encoded pictures in order; each lasts until the first frame of the next one. */
  entries: WriteList['entries'];
  /** Second at which the first frame is shown. */
  delay?: number;
  picture: NonNullable<ExpectedMedia['video']>;
  /** Second up to which the last frame is shown; absent for an ordinary last frame. */
  until?: number;
  sound: MadeSound | null;
  identity?: ExpectedMedia['identity'];
}

/** A part of the picture, from `v`. */
export const pictureOutput = (file: string, encode: VideoEncoding): Output => ({
  ...{ file, container: 'mp4', video: { from: 'v', encode }, audio: null },
});

/** Parts of whole frames, one after another. */
export const entriesOf = (
  parts: readonly { file: string; frames: number }[],
  { fps }: FrameRate,
): WriteList['entries'] =>
  parts.map(({ file, frames }, index) => ({
    ...{ file, seconds: index === parts.length - 1 ? null : frames / fps },
  }));

/** Sound that earlier steps have written, or music. */
export interface MadeSound {
  target: AudioTarget;
  /** The first of its inputs is input 1. */
  inputs: Input[];
  /** To `a`. */
  chains: Chain[];
}

/** The samples of `sound.raw`. */
export const joinedSamples = (target: AudioTarget, filters: readonly Filter[] = []): MadeSound => ({
  target,
  inputs: [rawInput('sound.raw', target)],
  chains: [{ from: ['1:0'], filters: [...filters, ...target.after], to: ['a'] }],
});

const LIST = 'parts.txt';

/**
 * Joins encoded parts and their sound without re-encoding the pictures.
 * @param pictures Steps that write the parts. @param sounds Steps that write what the sound reads.
 */
export function planParts(
  { pictures, sounds }: { pictures: readonly Step[]; sounds: readonly Step[] },
  { container, entries, delay, picture, until, sound, ...checked }: Joined,
  result: Result,
): Plan {
  const list: Step = { kind: 'list', file: LIST, entries };
  return planMedia(
    [...pictures, list, ...sounds],
    {
      container,
      inputs: [{ list: LIST, ...(delay === undefined ? {} : { delay }) }, ...(sound?.inputs ?? [])],
      chains: sound?.chains ?? [],
      picture: {
        ...{ from: '0:0', encode: { copy: { codec: picture.codec, packets: null } }, ...picture },
        ...(until === undefined ? {} : { until }),
      },
      sound: sound && { from: 'a', encode: sound.target.encoding },
      ...{ ...checked, weight: checked.duration / 10 },
    },
    result,
  );
}
