import { type FileHandle, open } from 'node:fs/promises';
import { lagsOf } from './envelope-lag.ts';
import { readFloats, writeFloats } from './floats.ts';
import { byBins, linearSpectrum } from './linear-spectrum.ts';
import type { Compared, Listened, VoiceAsked, VoiceRequest } from './protocol.ts';
import { LEVELS, type Passage, passagesOf } from './speech-passages.ts';
import { tiltSpectrum } from './tilt-spectrum.ts';
import { downsample, likenessOf } from './voice-likeness.ts';

const BYTES = 4;
/** Seconds of speech that are enough to characterise a voice. */
const ENOUGH_SECONDS = 180;

export async function voiceAnswer(request: VoiceRequest): Promise<Listened | Compared | null> {
  switch (request.kind) {
    case 'listen':
      return listen(request);
    case 'compare':
      return compare(request);
    case 'tilt':
      await writeFloats(
        request.file,
        tiltSpectrum(await readFloats(request.file), request.sampleRate, request.slope),
      );
      return null;
    case 'spectrum': {
      const spectrum = linearSpectrum(await readFloats(request.from));
      await writeFloats(request.file, request.by === 'frames' ? spectrum : byBins(spectrum));
      return null;
    }
  }
}

async function listen({ file, sampleRate }: VoiceAsked<'listen'>): Promise<Listened> {
  const source = await open(file);
  try {
    const passages = passagesOf(await levelsOf(source, sampleRate), sampleRate);
    const speech: Float32Array[] = [];
    let rate = sampleRate;
    let left = ENOUGH_SECONDS * sampleRate;
    for (const passage of passages) {
      if (left <= 0) break;
      const thin = downsample(await passageOf(source, passage), sampleRate);
      speech.push(thin.samples);
      rate = thin.sampleRate;
      left -= passage.samples;
    }
    return { passages, ...likenessOf(speech, rate) };
  } finally {
    await source.close();
  }
}

async function compare(asked: VoiceAsked<'compare'>): Promise<Compared> {
  const { passages, sampleRate, reach } = asked;
  const [found, wanted] = [await open(asked.found), await open(asked.wanted)];
  try {
    const lags: number[][] = [];
    let [own, other] = [0, 0];
    for (const passage of passages) {
      const [a, b] = [await passageOf(found, passage), await passageOf(wanted, passage)];
      for (const value of a) own += value * value;
      for (const value of b) other += value * value;
      lags.push(lagsOf(a, b, sampleRate, reach));
    }
    return { lags, gain: own > 0 && other > 0 ? Math.sqrt(other / own) : 1 };
  } finally {
    await found.close();
    await wanted.close();
  }
}

async function passageOf(file: FileHandle, { at, samples }: Passage): Promise<Float32Array> {
  const result = new Float32Array(samples);
  await file.read(new Uint8Array(result.buffer), 0, result.byteLength, at * BYTES);
  return result;
}

/** RMS of every 10 ms. */
async function levelsOf(file: FileHandle, sampleRate: number): Promise<Float32Array> {
  const size = Math.round(sampleRate / LEVELS);
  const total = Math.floor((await file.stat()).size / BYTES);
  const levels = new Float32Array(Math.ceil(total / size));
  const many = 1000;
  for (let first = 0; first < levels.length; first += many) {
    const samples = Math.min(many * size, total - first * size);
    const part = await passageOf(file, { at: first * size, samples });
    for (let index = 0; index * size < samples; index++) {
      const window = part.subarray(index * size, (index + 1) * size);
      levels[first + index] = Math.sqrt(
        window.reduce((sum, value) => sum + value * value, 0) / window.length,
      );
    }
  }
  return levels;
}
