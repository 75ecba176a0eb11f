import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { run } from '../../ffmpeg/run.ts';
import { pocketsphinxModel } from '../registry.ts';
import { type SoundPiece, WINDOWS_PER_SECOND } from './pieces.ts';
import type { Speaking } from './programs.ts';
import { dictionaryFile, dictionaryText, pronunciationsOf } from './pronunciations.ts';
import type { HeardWord } from './script-align.ts';

/** Rate of the samples that it takes, 16 bits each. */
export const POCKETSPHINX_RATE = 16_000;

export interface Listening extends Speaking {
  /** Name of a raw file in the directory. */
  sound: string;
}

const acoustic = ['-hmm', `${pocketsphinxModel}/en-us`];
/** It would take silences out, and give the times of what is left. */
const all = ['-remove_silence', 'no'];
/** With the usual beams the one path that an alignment has is lost. */
const wide = ['-beam', '1e-80', '-wbeam', '1e-60', '-pbeam', '1e-80', '-bestpath', 'no'];

/** The words of pieces of a sound by its language model of English, and how sure it is of each. */
export async function recognizeWords(
  pieces: readonly SoundPiece[],
  listening: Listening,
): Promise<HeardWord[]> {
  const model = ['-lm', `${pocketsphinxModel}/en-us.lm.bin`, '-dict', dictionaryFile];
  const heard = await listen(pieces, model, 'heard', listening);
  return heard.flat();
}

/**
 * When each of the words is said that are known to be said in a piece. Of a piece where they are not found there are none.
 * @param texts What is said in each piece, as the dictionary spells it.
 */
export async function alignWords(
  pieces: readonly SoundPiece[],
  texts: readonly (readonly string[])[],
  listening: Listening,
): Promise<HeardWord[][]> {
  const dictionary = dictionaryText(await pronunciationsOf(new Set(texts.flat()), listening));
  const grammars = texts.map((words) => words.map((word, index): Step => [index, index + 1, 1, word]));
  return followGrammars(pieces, grammars, dictionary, listening);
}

/** From a state to another by a word, with a probability. States are counted from 0, the last one is final. */
export type Step = readonly [from: number, to: number, probability: number, word: string];

/**
 * What is said in each piece of all that a grammar of its own allows. Of a piece where nothing of that is found there are
 * no words.
 * @param dictionary As Sphinx reads it, with every word of the grammars.
 */
export async function followGrammars(
  pieces: readonly SoundPiece[],
  grammars: readonly (readonly Step[])[],
  dictionary: string,
  listening: Listening,
): Promise<HeardWord[][]> {
  const { directory } = listening;
  await writeFile(join(directory, 'words.dict'), dictionary);
  for (const [index, steps] of grammars.entries()) {
    await writeFile(join(directory, `piece${index}.fsg`), grammarText(steps));
  }
  await writeFile(join(directory, 'grammars.ctl'), grammars.map((_, index) => `piece${index}\n`).join(''));
  const how = ['-fsgctl', 'grammars.ctl', '-fsgdir', '.', '-fsgext', '.fsg'];
  return listen(pieces, [...how, '-dict', 'words.dict', ...wide], 'aligned', listening, 1);
}

/** A finite state grammar of Sphinx. */
function grammarText(steps: readonly Step[]): string {
  const last = steps.reduce((most, [, to]) => Math.max(most, to), 0);
  const lines = steps.map(
    ([from, to, probability, word]) => `TRANSITION ${from} ${to} ${probability} ${word}`,
  );
  const states = [`NUM_STATES ${last + 1}`, 'START_STATE 0', `FINAL_STATE ${last}`];
  return ['FSG_BEGIN said', ...states, ...lines, 'FSG_END', ''].join('\n');
}

async function listen(
  pieces: readonly SoundPiece[],
  how: readonly string[],
  name: 'heard' | 'aligned',
  { programs, directory, sound, signal }: Listening,
  most = availableParallelism(),
): Promise<HeardWord[][]> {
  const processes = Math.min(most, pieces.length);
  const found: HeardWord[][] = pieces.map(() => []);
  await Promise.all(
    Array.from({ length: processes }, async (_, process) => {
      const [list, segments] = [`${name}${process}.ctl`, `${name}${process}.seg`];
      const sureness = name === 'heard' ? `${name}${process}.ctm` : null;
      const own = [...pieces.entries()].filter(([index]) => index % processes === process);
      const lines = own.map(
        ([index, { from, to }]) => `${sound.replace(/\.raw$/, '')} ${from} ${to} ${index}\n`,
      );
      await writeFile(join(directory, list), lines.join(''));
      const input = ['-adcin', 'yes', '-adchdr', '0', '-cepdir', '.', '-cepext', '.raw', '-ctl', list];
      const output = ['-hypseg', segments, ...(sureness ? ['-ctm', sureness] : []), '-logfn', '/dev/null'];
      const args = [...acoustic, ...how, ...all, ...input, ...output];
      await run(programs, 'pocketsphinx_batch', args, { cwd: directory, signal });
      const posteriors = posteriorsOf(sureness ? await readFile(join(directory, sureness), 'utf8') : '');
      for (const line of (await readFile(join(directory, segments), 'utf8')).split('\n')) {
        const [index, words] = wordsOfLine(line, pieces, posteriors);
        if (words.length > 0) found[index] = words;
      }
    }),
  );
  return found;
}

/** Of a word by its piece and the window of that in which it begins. */
type Posteriors = ReadonlyMap<string, number>;

/**
 * How probable each word is among all that were considered at its time: what is left of the lattice of words after its
 * forward-backward pass. Lines of `<id> <channel> <second> <seconds> <word> <probability>`.
 */
export function posteriorsOf(ctm: string): Posteriors {
  const found = new Map<string, number>();
  for (const line of ctm.split('\n')) {
    const [id = '', , start = '', , , probability = ''] = line.split(' ');
    const value = Number(probability);
    if (probability === '' || !Number.isFinite(value)) continue;
    found.set(`${id} ${Math.round(Number(start) * WINDOWS_PER_SECOND)}`, Math.min(1, Math.max(0, value)));
  }
  return found;
}

/** `<id> S … T … A … L <score> (<from> <acoustic> <language> <word>)… <to>`, times in windows of 10 ms. */
export function wordsOfLine(
  line: string,
  pieces: readonly SoundPiece[],
  posteriors: Posteriors,
): [number, HeardWord[]] {
  const [id = '', scores = '', rest = ''] = /^(\d+) (.*? L -?\d+) (.*)$/.exec(line)?.slice(1) ?? [];
  const piece = Number(id);
  const offset = pieces[piece]?.from ?? 0;
  if (scores === '') return [piece, []];
  const parts = rest.split(' ');
  const words: HeardWord[] = [];
  for (let at = 0; at + 4 < parts.length; at += 4) {
    const text = (parts[at + 3] ?? '').replace(/\(\d+\)$/, '');
    if (/^[<[+]/.test(text)) continue;
    const [start, end] = [offset + Number(parts[at]), offset + Number(parts[at + 4])];
    const confidence = posteriors.get(`${piece} ${parts[at]}`) ?? null;
    words.push({ text, start: start / WINDOWS_PER_SECOND, end: end / WINDOWS_PER_SECOND, piece, confidence });
  }
  return [piece, words];
}
