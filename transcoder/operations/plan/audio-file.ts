import type { AudioContainer, VideoContainer } from '../../../schema/operations/fields/fields.ts';
import type { AudioCodec } from '../../../schema/operations/transcode.ts';
import type { StatedAudio } from '../../model/source/media-probe.ts';
import type { Chain, Input, Render, Splice, SpliceInput, Step } from '../../model/steps.ts';
import {
  type AskedSound,
  type AudioTarget,
  audioTarget,
  codecFor,
  OPEN,
  probedCodec,
} from './audio-target.ts';
import { demuxerFor } from './output-files.ts';

/**
 * Container of the separately encoded sound. It must store the encoder delay, which is needed to mux into containers
 * without edit lists.
 */
const containers = {
  ...{ aac: 'm4a', mp3: 'mp4', opus: 'ogg', vorbis: 'ogg', flac: 'ogg', pcm: 'wav' },
} as const satisfies Record<AudioCodec, VideoContainer | AudioContainer>;

/** How sound next to spliced packets, or another track, is encoded. */
export function soundTarget(
  stream: StatedAudio,
  format: VideoContainer,
  asked: AskedSound = OPEN,
): AudioTarget {
  const codec = codecFor(asked, format);
  return audioTarget(stream, containers[codec], { ...asked, codec }, format);
}

/** Sound as an input of a splice, and the steps that make it. */
export interface SplicedSound {
  steps: readonly Step[];
  codec: string;
  input: SpliceInput;
  audio: Pick<NonNullable<Splice['audio']>, 'start' | 'end' | 'settle' | 'rate'>;
  /** The same sound made by ffmpeg, if libav copies or mixes this one. */
  byFfmpeg?: SplicedSound;
}

/**
 * Sound as a file, encoded by ffmpeg.
 * @param before Steps that write what is read. @param made `chains` lead from the inputs to `a`; the sound lasts `seconds`.
 */
export function soundFile(
  { codec, encoding, sampleRate }: AudioTarget,
  before: readonly Step[],
  made: { inputs: Input[]; chains: Chain[]; seconds: number },
): SplicedSound {
  const { inputs, chains, seconds } = made;
  const container = containers[codec];
  const file = `sound.${container}`;
  const audio = { from: 'a', encode: encoding };
  const step: Render = {
    ...{ kind: 'render', inputs, chains, outputs: [{ file, container, video: null, audio }] },
    ...{ seconds, weight: seconds / 10, lead: 0 },
  };
  return {
    steps: [...before, step],
    codec: probedCodec[encoding.encoder],
    input: { file, format: demuxerFor(container), stream: 0 },
    // The audible samples, without encoder delay.
    audio: { start: 0, end: Math.round(seconds * sampleRate), settle: 1 },
  };
}

/** The same sound with its steps run in libav. */
export const mixedByLibav = (sound: SplicedSound): SplicedSound => ({
  ...sound,
  steps: byLibav(sound.steps),
  byFfmpeg: sound,
});

/** Runs of filters over sound, in libav. */
export const byLibav = (steps: readonly Step[]): Step[] =>
  steps.map((step) => (step.kind === 'render' ? { ...step, kind: 'mix' } : step));
