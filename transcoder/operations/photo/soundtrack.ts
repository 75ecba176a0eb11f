import { soundRepeated } from '../../model/source/sound-times.ts';
import type { Chain } from '../../model/steps.ts';
import { type AudioTarget, audioTarget } from '../plan/audio-target.ts';
import { exactly } from '../plan/raw-audio.ts';
import type { PhotoInput } from './canvas.ts';
import { musicSeconds, type PhotoRequest, photosOf } from './timeline.ts';

/** Longest fade-out of music that is cut off, in seconds. */
const FADE = 1.5;

interface Music {
  source: number;
  target: AudioTarget;
  /** From input 1 to `a`. */
  chains: Chain[];
}

/** The music of the output, as long as its pictures; null if there is none. */
export function musicOf(request: PhotoRequest, seconds: number): Music | null {
  const { input, probes } = request;
  const length = musicSeconds(request);
  const source = photosOf(input).length;
  const stream = probes[source]?.audio;
  if (length === null || !stream) return null;
  const target = audioTarget(stream, input.format);
  const samples = Math.round(seconds * target.sampleRate);
  const fade = Math.round(Math.min(FADE, seconds / 4) * target.sampleRate);
  const whole = Math.abs(length - seconds) < 0.1;
  return {
    source,
    target,
    chains: [
      {
        from: [`1:${stream.index}`],
        filters: [
          ...soundRepeated(stream),
          { name: 'aformat', options: { sample_rates: target.sampleRate } },
          ...exactly(samples),
          ...(whole
            ? []
            : [{ name: 'afade', options: { type: 'out', start_sample: samples - fade, nb_samples: fade } }]),
          ...target.after,
        ],
        to: ['a'],
      },
    ],
  };
}

/** Whether the music restarts at its end. */
export const repeats = (input: PhotoInput) => input.length_policy === 'video';
