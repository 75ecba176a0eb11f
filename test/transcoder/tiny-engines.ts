import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { espeakData } from '../../transcoder/engines/espeak-data.ts';
import type { RecognizeRequest, SynthesizeRequest } from '../../transcoder/engines/hosts/protocol.ts';
import type { Programs } from '../../transcoder/ffmpeg/run.ts';
import {
  bytesOf,
  depth,
  kokoro,
  tokensText,
  transducer,
  vad,
  voicesBytes,
  words,
} from '../fixtures/engines/tiny-models.ts';

/** Samples per second of what is recognized. */
export const RATE = 16_000;

/** A tone between two seconds of an otherwise silent sound. */
export function loud(seconds: number, [from, to]: [number, number]): Uint8Array {
  const samples = new Float32Array(seconds * RATE);
  for (let index = from * RATE; index < to * RATE; index++) samples[index] = Math.sin(index / 10) / 2;
  return new Uint8Array(samples.buffer);
}

/** Writes the tiny models and five seconds of sound. @returns requests that they answer. */
export async function writeTinyModels(
  directory: string,
  programs: Programs,
): Promise<{ speech: RecognizeRequest; reading: SynthesizeRequest }> {
  const at = (name: string) => join(directory, name);
  const { encoder, decoder, joiner } = transducer;
  const models = { encoder, decoder, joiner, vad, kokoro, depth };
  for (const [name, model] of Object.entries(models)) await writeFile(at(`${name}.onnx`), bytesOf(model));
  await writeFile(at('tokens.txt'), tokensText(words));
  await writeFile(at('letters.txt'), tokensText([' ', ...'abcdefghijklmnopqrstuvwxyzəɛɪʊˈˌːɹ.']));
  await writeFile(at('lexicon.txt'), 'hello h ə l o\nworld w ɛ l d\n');
  await writeFile(at('voices.bin'), voicesBytes);
  await writeFile(at('sound.f32'), loud(5, [1, 3]));
  const speech = {
    model: {
      encoder: at('encoder.onnx'),
      decoder: at('decoder.onnx'),
      joiner: at('joiner.onnx'),
      tokens: at('tokens.txt'),
    },
    sound: { file: at('sound.f32'), sampleRate: RATE },
    pieces: [{ at: RATE, samples: 2 * RATE }],
  };
  const reading = {
    model: {
      model: at('kokoro.onnx'),
      voices: at('voices.bin'),
      tokens: at('letters.txt'),
      lexicon: at('lexicon.txt'),
      dataDir: await espeakData(programs),
      lang: '',
    },
    text: 'Hello world.',
    speaker: 1,
    speed: 1,
    file: at('spoken.f32'),
  };
  return { speech, reading };
}
