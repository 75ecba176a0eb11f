import { join } from 'node:path';
import { readFloats, writeFloats } from '../../engines/hosts/floats.ts';
import { CONVERSION_RATE, convertedByElevenLabs } from '../../engines/speech/elevenlabs.ts';
import { resampled } from '../steps/resample.ts';
import type { Conversion, Passage } from './conversion.ts';
import { convertPassages } from './convert-passages.ts';
import { alignToOriginal } from './measure-lag.ts';

/** Converts each passage with ElevenLabs and the caller's key, and writes it back in place. Throws as convertedByElevenLabs does. */
export async function byProvider(conversion: Conversion): Promise<void> {
  const { engines, directory, step, providerKey, signal } = conversion;
  const { voice, sampleRate } = step;
  if (voice === null || providerKey === undefined)
    throw new Error('a provider conversion needs a voice and a key');
  const provider = { key: providerKey, url: engines.provider.url };
  await convertPassages(conversion, CONVERSION_RATE, async (file, { samples }: Passage) => {
    const speech = await readFloats(join(directory, file));
    const sound = await convertedByElevenLabs(speech, voice, provider, signal);
    await writeFloats(join(directory, 'passage-out.raw'), sound.samples);
    const count = Math.round((sound.samples.length * sampleRate) / sound.sampleRate);
    const [from, to] = [
      { file: 'passage-out.raw', sampleRate: sound.sampleRate },
      { file: 'passage-made.raw', sampleRate },
    ];
    await resampled(conversion, from, to, 1, count);
    return alignToOriginal(conversion, { wanted: 'passage.raw', found: to.file, samples });
  });
}
