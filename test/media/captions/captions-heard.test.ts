import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Engines } from '../../../transcoder/engines/engines.ts';
import type { ModelManifest } from '../../../transcoder/engines/models.ts';
import { withTerms } from '../../../transcoder/engines/speech/known-terms.ts';
import { POCKETSPHINX_RATE } from '../../../transcoder/engines/speech/pocketsphinx.ts';
import { alignScript } from '../../../transcoder/engines/speech/script-align.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { jsonLog } from '../../../transcoder/log.ts';
import {
  bytesOf,
  words as tinyWords,
  tokenProbability,
  tokensText,
  transducer,
  vad,
} from '../../fixtures/engines/tiny-models.ts';
import { programs } from '../../fixtures/make.ts';
import { names, sentencesWithNames, unsaidNames } from '../../fixtures/names.ts';
import { type Speech, sentences, speak, speakSentences } from '../../fixtures/speech.ts';
import { wordErrors } from '../../fixtures/word-errors.ts';
import { thorough } from '../../sampled.ts';
import { failureOf, operateOn } from '../operate.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-test-captions-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Word {
  start: number;
  end: number;
  text: string;
  confidence: number | null;
}

let speech: Speech;
const video = join(directory, 'talk.mp4');
beforeAll(async () => {
  speech = await speak(sentences, join(directory, 'talk.wav'));
  await film(speech.file, video);
}, 300_000);

/** A video of a grey picture with a sound. */
async function film(sound: string, file: string, ...filters: string[]): Promise<void> {
  const picture = ['-f', 'lavfi', '-i', 'color=c=gray:s=320x180:r=30'];
  const encoded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '60', '-c:a', 'aac', '-b:a', '96k'];
  const args = [
    '-v',
    'error',
    '-nostdin',
    ...picture,
    '-i',
    sound,
    ...filters,
    '-shortest',
    ...encoded,
    file,
  ];
  await run(programs, 'ffmpeg', args);
}

const captioned = (request: object, source = video, options = {}) => {
  const usual = { video_url: 'https://media.example.com/talk.mp4', burn: false, outputs: ['srt'] };
  return operateOn('captions_auto', [source], { ...usual, ...request }, options);
};

const plain = (text: string) => text.toLowerCase().replace(/[^a-z']/g, '');

const at = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? Number.POSITIVE_INFINITY;

/** By how many ms words begin off, of those that were heard right, each next to where it was said. */
function startErrors(heard: readonly Word[]): number[] {
  return speech.words.flatMap(({ text, start }) => {
    const near = heard.filter((word) => plain(word.text) === text && Math.abs(word.start - start) < 0.5);
    const off = near.map((word) => Math.abs(word.start - start) * 1000);
    return off.length > 0 ? [Math.min(...off)] : [];
  });
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** How sure the engine is of the words that it has heard right, and of the others. */
async function sureness(
  said: readonly string[],
  heard: readonly Word[],
): Promise<[right: number[], wrong: number[]]> {
  const matches = await alignScript(
    said,
    heard.map(({ text }) => plain(text)),
  );
  const right = new Set(matches.map((match) => (match?.same ? match.heard : -1)));
  const sure = (wanted: boolean) =>
    heard.flatMap(({ confidence }, index) => (right.has(index) === wanted ? (confidence ?? []) : []));
  return [sure(true), sure(false)];
}

/** A word of the sentences in the spelling of the caller: where it comes back, the vocabulary has reached the engine. */
const SPELLED = 'Piano';
const isSpelled = ({ text }: Word) => plain(text) === plain(SPELLED);

const wordsOfNames = new Set(unsaidNames.flatMap((name) => name.split(' ')).map(plain));
const isName = ({ text }: Word) => wordsOfNames.has(plain(text));

describe('PocketSphinx', () => {
  test('hears clear English, its words where they are said, and no names that are not', async () => {
    const began = performance.now();
    const { data, warnings } = await captioned({ vocabulary: [...unsaidNames, SPELLED] });
    const seconds = (performance.now() - began) / 1000;
    const words = data.words as Word[];
    const said = speech.words.map(({ text }) => text);
    const rate =
      wordErrors(
        said,
        words.map(({ text }) => plain(text)),
      ) / said.length;
    const errors = startErrors(words);
    const [median, most] = [at(errors, 0.5), at(errors, 0.9)];
    const lasts = speech.words.at(-1)?.end ?? 1;
    console.log(
      `captions: WER ${(rate * 100).toFixed(1)} %, starts off by ${median.toFixed(1)} ms median, ${most.toFixed(1)} ms p90, RTF ${(seconds / lasts).toFixed(2)}`,
    );
    const invented = words.filter(isName);
    console.log(
      `captions: of ${unsaidNames.length} unsaid names ${invented.length} put among ${words.length} words`,
    );
    expect(invented.length).toBeLessThanOrEqual(1);
    expect(rate).toBeLessThanOrEqual(0.17);
    expect(median).toBeLessThanOrEqual(15);
    expect(most).toBeLessThanOrEqual(40);
    expect(data).toMatchObject({
      language: 'en',
      times: 'heard',
      engine: { id: 'pocketsphinx', tier: 'embedded' },
    });
    expect(warnings.map(({ code }) => code)).toEqual(['basic_engine', 'language_assumed']);
    expect(words.filter(isSpelled).map(({ text }) => text.replace(/\.$/, ''))).toEqual([SPELLED]);
    for (const { confidence } of words.filter((word) => !isName(word) && !isSpelled(word))) {
      expect(confidence).toBeGreaterThanOrEqual(0);
      expect(confidence).toBeLessThanOrEqual(1);
    }
  });

  thorough('says that it is unsure where noise is in the way', async () => {
    const noisy = join(directory, 'noisy.mp4');
    const noise = ['-f', 'lavfi', '-i', 'anoisesrc=a=0.02:c=white:r=16000:seed=7'];
    const mixed = [
      '-filter_complex',
      '[1:a][2:a]amix=duration=first:normalize=0[a]',
      '-map',
      '0:v',
      '-map',
      '[a]',
    ];
    await film(speech.file, noisy, ...noise, ...mixed, '-t', '10');
    const { data, warnings } = await captioned({ language: 'en' }, noisy);
    const told = (data.words as Word[]).map(({ confidence }) => confidence ?? 1);
    console.log(`captions: confidence ${mean(told).toFixed(2)} in white noise`);
    expect(warnings.map(({ code }) => code)).toEqual(['basic_engine', 'low_confidence']);
  });

  thorough(
    'finds names that the caller knows, and puts them nowhere else; is less sure where it is wrong',
    async () => {
      const [sound, named] = [join(directory, 'names.wav'), join(directory, 'names.mp4')];
      const spans = await speakSentences(sentencesWithNames, sound);
      await film(sound, named);
      const found = (words: readonly Word[]) =>
        names.filter((name, index) => {
          const { start = 0, end = 0 } = spans[index] ?? {};
          const within = words.filter((word) => word.start > start - 0.2 && word.end < end + 0.2);
          return ` ${within.map(({ text }) => text.replace(/\.$/, '')).join(' ')} `
            .toLowerCase()
            .includes(` ${name.toLowerCase()} `);
        });
      const unsaid = (await captioned({ language: 'en', vocabulary: unsaidNames }, named)).data
        .words as Word[];
      // PocketSphinx hears the same words whichever names are known, and takes a minute: only the names are looked for again.
      const raw = ['-ac', '1', '-ar', `${POCKETSPHINX_RATE}`, '-f', 's16le', join(directory, 'names16.raw')];
      await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-i', named, ...raw]);
      const heard = unsaid.map((word) => ({ ...word, text: plain(word.text), piece: 0 }));
      const known = await withTerms(heard, names, { programs, directory, sound: 'names16.raw' });
      const invented = unsaid.filter(isName);
      const [before, after] = [found(unsaid).length, found(known).length];
      console.log(
        `captions: ${after}/${names.length} names right with vocabulary, ${before} without; of ${unsaidNames.length} unsaid names ${invented.length} put in their place`,
      );
      const [right, mistaken] = await sureness(sentencesWithNames.join(' ').split(' ').map(plain), unsaid);
      const likelier = right.flatMap((one) =>
        mistaken.map((other) => (one > other ? 1 : Number(one === other) / 2)),
      );
      console.log(
        `captions: confidence ${mean(right).toFixed(2)} of ${right.length} words heard right, ${mean(mistaken).toFixed(2)} of ${mistaken.length} wrong, AUC ${mean(likelier).toFixed(2)}`,
      );
      expect(mean(right) - mean(mistaken)).toBeGreaterThan(0.3);
      expect(mean(likelier)).toBeGreaterThan(0.8);
      expect(after / names.length).toBeGreaterThanOrEqual(0.6);
      expect(after).toBeGreaterThanOrEqual(before + 8);
      expect(invented.length).toBeLessThanOrEqual(1);
      const starts = known.map(({ start }) => start);
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    },
  );

  test('aligns a script, word for word', async () => {
    const { data, warnings } = await captioned({ captions: sentences.join(' '), language: 'en' });
    const words = data.words as Word[];
    expect(words.map(({ text }) => plain(text))).toEqual(speech.words.map(({ text }) => text));
    const errors = words.map(
      ({ start }, index) => Math.abs(start - (speech.words[index]?.start ?? 0)) * 1000,
    );
    let first = 0;
    const right = sentences.filter((sentence) => {
      const own = errors.slice(first, first + sentence.split(' ').length);
      first += own.length;
      return own.every((ms) => ms < 150);
    });
    console.log(
      `captions: ${right.length}/${sentences.length} sentences aligned, ${at(errors, 0.5).toFixed(1)} ms median, ${at(errors, 0.9).toFixed(1)} ms p90`,
    );
    expect(right).toHaveLength(sentences.length);
    expect(at(errors, 0.5)).toBeLessThanOrEqual(15);
    expect(data).toMatchObject({ times: 'aligned', language: 'en', engine: { id: 'pocketsphinx' } });
    expect(new Set(words.map(({ confidence }) => confidence))).toEqual(new Set([null]));
    expect(warnings).toEqual([]);
  });
});

describe('a model of the operator', () => {
  const at = (name: string) => join(directory, name);
  /** Loud from 1 s to 3 s, which the tiny VAD lets through. */
  const loud = at('loud.mp4');

  const manifestOf = async (): Promise<ModelManifest> => {
    const { encoder, decoder, joiner } = transducer;
    for (const [name, model] of Object.entries({ encoder, decoder, joiner, vad })) {
      await writeFile(at(`${name}.onnx`), bytesOf(model));
    }
    await writeFile(at('tokens.txt'), tokensText(tinyWords));
    const paths = {
      encoder: 'encoder.onnx',
      decoder: 'decoder.onnx',
      joiner: 'joiner.onnx',
    };
    const files = await Promise.all(
      Object.entries({ ...paths, tokens: 'tokens.txt' }).map(async ([role, path]) => ({
        ...{ role, path, url: `https://models.example.com/${path}`, sha256: '0'.repeat(64) },
        bytes: (await readFile(at(path))).length,
      })),
    );
    const license = { spdx: 'CC-BY-4.0', attribution: 'us', commercial: true };
    const about = { id: 'tiny', engine: 'parakeet' as const, set: 'captions' as const, dir: '.' };
    return { hashes_verified: false, models: [{ ...about, license, memory_mb: 1, files }] };
  };

  beforeAll(async () => {
    const sound = "aevalsrc='0.5*sin(2*PI*440*t)*between(t,1,3)':s=16000:d=5";
    const picture = 'color=c=gray:s=64x36:r=25:d=5';
    const inputs = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound];
    await run(programs, 'ffmpeg', [
      '-v',
      'error',
      '-nostdin',
      ...inputs,
      '-c:v',
      'libx264',
      '-c:a',
      'aac',
      loud,
    ]);
  }, 60_000);

  test('is asked first; where it does not load, PocketSphinx listens, and both are said', async () => {
    const log = jsonLog({}, () => {});
    const manifest = await manifestOf();
    const probing = { programs, modelsDir: directory, log, manifest, voiceNetwork: at('vad.onnx') };
    const engines = await Engines.probe(probing);
    try {
      const done = await captioned({ outputs: ['txt'], language: 'de' }, loud, { engines });
      expect(done.data).toMatchObject({
        engine: { id: 'parakeet', tier: 'model' },
        language: 'de',
        times: 'heard',
      });
      const words = done.data.words as Word[];
      expect(words.map(({ text }) => text)).toEqual(['one', 'twos', 'three']);
      // The tiny net speaks from the start of its piece, which has a margin.
      expect(Math.abs((words[0]?.start ?? 0) - 0.78)).toBeLessThan(0.05);
      const [one, two] = words.map(({ confidence }) => confidence ?? 0);
      expect(one).toBeCloseTo(tokenProbability, 3);
      expect(two).toBeCloseTo(tokenProbability ** 2, 3);
      expect(await readFile(done.path, 'utf8')).toBe('one twos three\n');

      const vocabulary = ['{\\}Thrée', 'Four'];
      const spelled = await captioned({ outputs: ['ass'], language: 'de', vocabulary }, loud, { engines });
      expect((spelled.data.words as Word[]).map(({ text }) => text)).toEqual(['one', 'twos', '{\\}Thrée']);
      const drawn = (await readFile(spelled.path, 'utf8'))
        .split('\n')
        .filter((line) => line.includes('Thrée'));
      expect(drawn.length).toBeGreaterThan(0);
      for (const line of drawn) expect(line).not.toMatch(/(?<!\\)[{}]\u2060?Thrée/);

      const script = await captioned({ captions: 'One, twos — THREE!' }, loud, { engines });
      const aligned = script.data.words as Word[];
      expect(aligned.map(({ text }) => text)).toEqual(['One,', 'twos —', 'THREE!']);
      for (const [index, { start }] of aligned.entries())
        expect(Math.abs(start - (words[index]?.start ?? 0))).toBeLessThan(0.1);
      expect(script.data).toMatchObject({ times: 'aligned', engine: { id: 'parakeet' } });

      await writeFile(at('encoder.onnx'), bytesOf(transducer.encoder).subarray(0, 200));
      engines.close();
      expect((await failureOf(captioned({ language: 'de' }, loud, { engines }))).code).toBe(
        'engine_unavailable',
      );
    } finally {
      engines.close();
    }
    const others = await Engines.probe({ ...probing, manifest: await manifestOf() });
    await writeFile(at('encoder.onnx'), bytesOf(transducer.encoder).subarray(0, 200));
    const short = at('short.mp4');
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-i', video, '-t', '4', short]);
    try {
      const other = await captioned({}, short, { engines: others });
      expect(other.data).toMatchObject({ engine: { id: 'pocketsphinx' } });
      expect(others.present).not.toContain('parakeet');
    } finally {
      others.close();
    }
  });
});
