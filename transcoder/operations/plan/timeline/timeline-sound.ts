import type { VideoContainer } from '../../../../schema/operations/fields/fields.ts';
import type { StatedAudio } from '../../../model/source/media-probe.ts';
import type { Chain, Input, Step } from '../../../model/steps.ts';
import { mixedByLibav, type SplicedSound, soundFile, soundTarget } from '../audio-file.ts';
import type { AudioTarget } from '../audio-target.ts';

/** The sound of a timeline. */
export interface TimelineSound {
  /** Its format is taken from this stream. */
  stream: StatedAudio;
  target: AudioTarget;
  /** Steps that write its samples. */
  steps: Step[];
  /** The inputs to read the samples from, the first of which is input `at`, and the chains that mix them into `a`. */
  mix: (target: AudioTarget, at: number) => { inputs: Input[]; chains: Chain[] };
  /** Whether each clip's own sound alone plays where its pictures are. */
  heard: boolean;
}

/** The sound as a file next to spliced packets, made in libav. @param seconds Of the sound. */
export function splicedSound(sound: TimelineSound, seconds: number, format: VideoContainer): SplicedSound {
  const target = soundTarget(sound.stream, format);
  return mixedByLibav(soundFile(target, sound.steps, { ...sound.mix(target, 0), seconds }));
}
