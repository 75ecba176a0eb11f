import { join } from 'node:path';
import { readFloats, writeFloats } from '../../engines/hosts/floats.ts';
import { SPECTRUM_BINS, SPECTRUM_HOP, spectrumFrames } from '../../engines/hosts/linear-spectrum.ts';
import { readAt } from '../steps/raw-audio.ts';
import { resampled } from '../steps/resample.ts';
import type { Conversion } from './conversion.ts';
import { convertPassages } from './convert-passages.ts';

/** Parameters of the trained networks. */
const RATE = 22_050;
const TONE = 256;

/**
 * Replaces the tone color of the voice with the sample's, frame by frame, which preserves the timing. Throws
 * `engine_unavailable`, `engine_failed`.
 */
export async function byOpenVoice(conversion: Conversion): Promise<void> {
  const { engines, directory, step, signal } = conversion;
  const { sampleRate, sample } = step;
  if (sample === null) throw new Error('voice conversion by tone color needs a sample');
  const at = (name: string) => join(directory, name);
  const { converter = '', reference_encoder = '' } = engines.modelOf('openvoice');

  /** Tone color of raw speech at the result's rate. */
  async function toneOf(file: string, name: string): Promise<string> {
    const { length } = await readFloats(at(file));
    const samples = Math.round((length * RATE) / sampleRate);
    await resampled(conversion, { file, sampleRate }, { file: 'tone-in.raw', sampleRate: RATE }, 1, samples);
    await engines.spectrum({ from: at('tone-in.raw'), file: at('tone.f32'), by: 'frames' }, { signal });
    const dims = [1, spectrumFrames(samples), SPECTRUM_BINS];
    await engines.infer(
      'openvoice',
      {
        model: reference_encoder,
        inputs: [{ name: 'spec', type: 'float32', dims, from: { file: at('tone.f32') } }],
        outputs: [{ name: null, file: at(name) }],
      },
      { signal },
    );
    return at(name);
  }

  const longest = conversion.heard.passages.reduce((a, b) => (b.samples > a.samples ? b : a));
  await writeFloats(at('own-voice.raw'), await readAt(at(step.from), longest.at, longest.samples));
  const source = await toneOf('own-voice.raw', 'own-tone.f32');
  const target = await toneOf(sample, 'sample-tone.f32');
  const tone = (name: string, file: string) => ({
    ...{ name, type: 'float32' as const, dims: [1, TONE, 1], from: { file } },
  });

  await convertPassages(conversion, RATE, async (file, { samples }) => {
    const frames = spectrumFrames((await readFloats(at(file))).length);
    await engines.spectrum({ from: at(file), file: at('spectrum.f32'), by: 'bins' }, { signal });
    const dims = [1, SPECTRUM_BINS, frames];
    await engines.infer(
      'openvoice',
      {
        model: converter,
        inputs: [
          { name: 'spec', type: 'float32', dims, from: { file: at('spectrum.f32') } },
          { name: 'spec_lengths', type: 'int64', dims: [1], from: { values: [frames] } },
          tone('src_g', source),
          tone('tgt_g', target),
        ],
        outputs: [{ name: null, file: at('passage-out.raw') }],
      },
      { signal },
    );
    const { length } = await readFloats(at('passage-out.raw'));
    if (length !== frames * SPECTRUM_HOP) throw new Error(`got ${length} samples for ${frames} frames`);
    const [from, to] = [
      { file: 'passage-out.raw', sampleRate: RATE },
      { file: 'passage-made.raw', sampleRate },
    ];
    await resampled(conversion, from, to, 1, samples);
    return readFloats(at('passage-made.raw'));
  });
}
