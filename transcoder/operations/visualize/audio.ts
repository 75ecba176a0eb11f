import type { VideoContainer } from '../../../schema/operations/fields/fields.ts';
import type { AudioStream, MediaProbe } from '../../model/source/media-probe.ts';
import type { Chain, Render } from '../../model/steps.ts';
import { audioTarget } from '../plan/audio-target.ts';
import { copiesWhole } from '../plan/copy-audio.ts';
import { audioFades } from '../plan/filters.ts';
import type { Sound } from '../plan/output.ts';
import { exactly, floats, renderSamples } from '../plan/raw-audio.ts';
import { wholeAudio } from '../plan/render-whole.ts';
import { lengthOf } from '../plan/require-streams.ts';

/** Sample rate for drawing; frequencies above half of it are not shown. */
export const SAMPLE_RATE = 32_000;

/** Writes the samples to draw, from the start of the source. */
export function samplesStep(probe: MediaProbe, audio: AudioStream, seconds: number): Render {
  const filters = [...wholeAudio(probe), floats({ sampleRate: SAMPLE_RATE, layout: 'stereo' })];
  return renderSamples('samples.raw', {
    inputs: [{ source: 0, seek: null }],
    chains: [{ from: [`0:${audio.index}`], filters, to: ['samples'] }],
    ...{ from: 'samples', seconds, weight: seconds / 100 },
  });
}

interface Asked {
  probe: MediaProbe;
  audio: AudioStream;
  format: VideoContainer;
  /** Duration of the pictures. */
  duration: number;
  fade: number;
}

/** The sound of the output, as long as its pictures; copied if possible. */
export function soundOf(asked: Asked): { chains: Chain[]; sound: Sound } {
  const { probe, audio, format, duration, fade } = asked;
  if (fade === 0 && copiesWhole(probe, audio, format)) {
    return { chains: [], sound: { from: `0:${audio.index}`, encode: 'copy', codec: audio.codec } };
  }
  const target = audioTarget(audio, format);
  const samples = Math.round(duration * target.sampleRate);
  return {
    chains: [
      {
        from: [`0:${audio.index}`],
        filters: [
          ...wholeAudio(probe),
          ...audioFades({ in: fade, out: fade }, Math.min(duration, lengthOf(probe))),
          { name: 'aformat', options: { sample_rates: target.sampleRate } },
          ...exactly(samples),
          ...target.after,
        ],
        to: ['a'],
      },
    ],
    sound: { from: 'a', encode: target.encoding },
  };
}
