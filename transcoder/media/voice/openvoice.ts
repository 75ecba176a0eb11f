import { join } from 'node:path';
import { readFloats, writeFloats } from '../../engines/hosts/floats.ts';
import { SPECTRUM_BINS, SPECTRUM_HOP, spectrumFrames } from '../../engines/hosts/linear-spectrum.ts';
import { readAt } from '../steps/raw-audio.ts';
import { resampled } from '../steps/resample.ts';
import type { Conversion } from './conversion.ts';
import { laidBack } from './convert-passages.ts';

/** What its nets were trained with. */
const RATE = 22_050;
const TONE = 256;

/**
 * The tone of the sample in place of that of the voice, frame by frame, so that nothing moves. Throws `engine_unavailable`,
 * `engine_failed`.
 */
export async function byOpenVoice(conversion: Conversion): Promise<void> {
  const { engines, directory, step, signal } = conversion;
  const { sampleRate, sample } = step;
  if (sample === null) throw new Error('the tone of a voice without a sample of it');
  const at = (name: string) => join(directory, name);
  const { converter = '', reference_encoder = '' } = engines.modelOf('openvoice');

  /** The tone of raw speech of the rate of the result. */
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

  await laidBack(conversion, RATE, async (file, { samples }) => {
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
    if (length !== frames * SPECTRUM_HOP) throw new Error(`${length} samples for ${frames} frames`);
    const [from, to] = [
      { file: 'passage-out.raw', sampleRate: RATE },
      { file: 'passage-made.raw', sampleRate },
    ];
    await resampled(conversion, from, to, 1, samples);
    return readFloats(at('passage-made.raw'));
  });
}
