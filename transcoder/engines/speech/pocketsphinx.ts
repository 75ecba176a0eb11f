import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { run } from '../../ffmpeg/run.ts';
import { pocketsphinxModel } from '../registry.ts';
import { type SoundPiece, WINDOWS_PER_SECOND } from './pieces.ts';
import type { Speaking } from './programs.ts';
import { dictionaryFile, dictionaryText, pronunciationsOf } from './pronunciations.ts';
import type { HeardWord } from './script-align.ts';

/** Sample rate of its input, which is 16-bit. */
export const POCKETSPHINX_RATE = 16_000;

export interface Listening extends Speaking {
  /** Name of a raw audio file in the directory. */
  sound: string;
}

const acoustic = ['-hmm', `${pocketsphinxModel}/en-us`];
/** By default it removes silences, and its times then refer to the shortened sound. */
const all = ['-remove_silence', 'no'];
/** The default beams prune the single path that an alignment has. */
const wide = ['-beam', '1e-80', '-wbeam', '1e-60', '-pbeam', '1e-80', '-bestpath', 'no'];

/** Recognizes English with the general language model. Returns words with confidences. */
export async function recognizeWords(
  pieces: readonly SoundPiece[],
  listening: Listening,
): Promise<HeardWord[]> {
  const model = ['-lm', `${pocketsphinxModel}/en-us.lm.bin`, '-dict', dictionaryFile];
  const words = await listen(pieces, model, 'heard', listening);
  return words.flat();
}

/**
 * Aligns a known text with each piece. A piece in which the text is not found gets no words.
 * @param texts The text of each piece, spelled as in the dictionary.
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

/** A transition between states that emits a word with a probability. States count from 0; the last one is final. */
export type Step = readonly [from: number, to: number, probability: number, word: string];

/**
 * Recognizes each piece with a grammar of its own. A piece that does not match its grammar gets no words.
 * @param dictionary In the format of Sphinx, with every word of the grammars.
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

/** A Sphinx finite-state grammar. */
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

/** By piece and the 10 ms window in it at which the word begins. */
type Posteriors = ReadonlyMap<string, number>;

/**
 * Posterior probability of each word: its share of the word lattice after the forward-backward pass. Lines of `<id>
 * <channel> <second> <seconds> <word> <probability>`.
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
