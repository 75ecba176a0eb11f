import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { run } from '../../ffmpeg/run.ts';
import { pocketsphinxModel } from '../registry.ts';
import { type SoundPiece, WINDOWS_PER_SECOND } from './pieces.ts';
import type { Speaking } from './programs.ts';
import type { HeardWord } from './script-align.ts';

/** Rate of the samples that it takes, 16 bits each. */
export const POCKETSPHINX_RATE = 16_000;

export interface Listening extends Speaking {
  /** Name of a raw file in the directory. */
  sound: string;
}

const acoustic = ['-hmm', `${pocketsphinxModel}/en-us`];
const dictionaryFile = `${pocketsphinxModel}/cmudict-en-us.dict`;
/** It would take silences out, and give the times of what is left. */
const all = ['-remove_silence', 'no'];
/** With the usual beams the one path that an alignment has is lost. */
const wide = ['-beam', '1e-80', '-wbeam', '1e-60', '-pbeam', '1e-80', '-bestpath', 'no'];

/** The words of pieces of a sound by its language model of English. */
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
  const { directory } = listening;
  await writeFile(join(directory, 'words.dict'), await dictionaryOf(new Set(texts.flat()), listening));
  for (const [index, words] of texts.entries()) {
    await writeFile(join(directory, `piece${index}.fsg`), grammarOf(words));
  }
  await writeFile(join(directory, 'grammars.ctl'), texts.map((_, index) => `piece${index}\n`).join(''));
  const grammars = ['-fsgctl', 'grammars.ctl', '-fsgdir', '.', '-fsgext', '.fsg'];
  return listen(pieces, [...grammars, '-dict', 'words.dict', ...wide], 'aligned', listening, 1);
}

/** One word after the other, as a finite state grammar of Sphinx. */
function grammarOf(words: readonly string[]): string {
  const steps = words.map((word, index) => `TRANSITION ${index} ${index + 1} 1.0 ${word}`);
  const states = [`NUM_STATES ${words.length + 1}`, 'START_STATE 0', `FINAL_STATE ${words.length}`];
  return ['FSG_BEGIN said', ...states, ...steps, 'FSG_END', ''].join('\n');
}

async function listen(
  pieces: readonly SoundPiece[],
  how: readonly string[],
  name: string,
  { programs, directory, sound, signal }: Listening,
  most = availableParallelism(),
): Promise<HeardWord[][]> {
  const processes = Math.min(most, pieces.length);
  const found: HeardWord[][] = pieces.map(() => []);
  await Promise.all(
    Array.from({ length: processes }, async (_, process) => {
      const [list, segments] = [`${name}${process}.ctl`, `${name}${process}.seg`];
      const own = [...pieces.entries()].filter(([index]) => index % processes === process);
      const lines = own.map(
        ([index, { from, to }]) => `${sound.replace(/\.raw$/, '')} ${from} ${to} ${index}\n`,
      );
      await writeFile(join(directory, list), lines.join(''));
      const input = ['-adcin', 'yes', '-adchdr', '0', '-cepdir', '.', '-cepext', '.raw', '-ctl', list];
      const args = [...acoustic, ...how, ...all, ...input, '-hypseg', segments, '-logfn', '/dev/null'];
      await run(programs, 'pocketsphinx_batch', args, { cwd: directory, signal });
      for (const line of (await readFile(join(directory, segments), 'utf8')).split('\n')) {
        const [index, words] = wordsOfLine(line, pieces);
        if (words.length > 0) found[index] = words;
      }
    }),
  );
  return found;
}

/** `<id> S … T … A … L <score> (<from> <acoustic> <language> <word>)… <to>`, times in windows of 10 ms. */
export function wordsOfLine(line: string, pieces: readonly SoundPiece[]): [number, HeardWord[]] {
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
    words.push({ text, start: start / WINDOWS_PER_SECOND, end: end / WINDOWS_PER_SECOND, piece });
  }
  return [piece, words];
}

/** The pronunciations of these words alone: those of the dictionary, and for others what flite makes of their letters. */
async function dictionaryOf(words: ReadonlySet<string>, speaking: Speaking): Promise<string> {
  const known = new Map<string, string[]>();
  for (const line of (await readFile(dictionaryFile, 'utf8')).split('\n')) {
    const [word = ''] = line.split(/[ (]/, 1);
    if (words.has(word)) known.set(word, [...(known.get(word) ?? []), line]);
  }
  const unknown = [...words].filter((word) => !known.has(word));
  const phones = await phonesOf(unknown, speaking);
  const added = unknown.map((word, index) => `${word} ${phones[index]}`);
  return `${[...[...known.values()].flat(), ...added].join('\n')}\n`;
}

/** A sound that says nothing, for what flite cannot say either. */
const ANY = 'AH';

async function phonesOf(
  words: readonly string[],
  { programs, directory, signal }: Speaking,
): Promise<string[]> {
  if (words.length === 0) return [];
  await writeFile(join(directory, 'unknown.txt'), words.map((word) => `${latin(word)}.\n\n`).join(''));
  const args = ['-voice', 'rms', '-ps', '-f', 'unknown.txt', '-o', 'none'];
  const { stdout } = await run(programs, 'flite', args, { cwd: directory, signal, timeoutSeconds: 300 });
  const said = stdout.split('\n').filter((line) => line.trim() !== '');
  return words.map((_, index) => {
    const phones = (said[index] ?? '').split(/\s+/).filter((phone) => phone !== '' && phone !== 'pau');
    return phones.map((phone) => (phone === 'ax' ? ANY : phone.toUpperCase())).join(' ') || ANY;
  });
}

/** Letters that flite reads as one word. */
const latin = (word: string) =>
  word
    .normalize('NFD')
    .replace(/[^a-z]/g, '')
    .padEnd(1, 'a');
