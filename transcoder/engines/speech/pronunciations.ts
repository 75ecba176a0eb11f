import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../ffmpeg/run.ts';
import { pocketsphinxModel } from '../registry.ts';
import type { Speaking } from './programs.ts';

/** The English pronunciation dictionary of Carnegie Mellon University that ships with PocketSphinx. */
export const dictionaryFile = `${pocketsphinxModel}/cmudict-en-us.dict`;

/** Phones in ARPAbet. */
export type Pronunciation = readonly string[];

/**
 * Pronunciations of English words: from the dictionary, otherwise as flite reads the letters. Every word gets at least
 * one. Throws as `run` does.
 * @param words In lower case.
 */
export async function pronunciationsOf(
  words: ReadonlySet<string>,
  speaking: Speaking,
): Promise<Map<string, Pronunciation[]>> {
  const known = new Map<string, Pronunciation[]>();
  if (words.size === 0) return known;
  for (const line of (await readFile(dictionaryFile, 'utf8')).split('\n')) {
    const [word = ''] = line.split(/[ (]/, 1);
    if (!words.has(word)) continue;
    const [, ...phones] = line.trim().split(/\s+/);
    known.set(word, [...(known.get(word) ?? []), phones]);
  }
  const unknown = [...words].filter((word) => !known.has(word));
  const guessed = await phonesOf(unknown, speaking);
  for (const [index, word] of unknown.entries()) known.set(word, [guessed[index] ?? [ANY]]);
  return known;
}

/** A dictionary in the format of Sphinx, which numbers the alternatives of a word from the second on. */
export function dictionaryText(known: Iterable<readonly [string, readonly Pronunciation[]]>): string {
  const lines = [...known].flatMap(([word, pronunciations]) =>
    pronunciations.map(
      (phones, index) => `${word}${index === 0 ? '' : `(${index + 1})`} ${phones.join(' ')}`,
    ),
  );
  return `${lines.join('\n')}\n`;
}

/** A neutral vowel, for words that flite cannot read either. */
const ANY = 'AH';

async function phonesOf(
  words: readonly string[],
  { programs, directory, signal }: Speaking,
): Promise<Pronunciation[]> {
  if (words.length === 0) return [];
  await writeFile(join(directory, 'unknown.txt'), words.map((word) => `${latin(word)}.\n\n`).join(''));
  const args = ['-voice', 'rms', '-ps', '-f', 'unknown.txt', '-o', 'none'];
  const { stdout } = await run(programs, 'flite', args, { cwd: directory, signal, timeoutSeconds: 300 });
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  return words.map((_, index) => {
    const phones = (lines[index] ?? '').split(/\s+/).filter((phone) => phone !== '' && phone !== 'pau');
    return phones.length === 0 ? [ANY] : phones.map((phone) => (phone === 'ax' ? ANY : phone.toUpperCase()));
  });
}

/** Reduces a word to the letters a–z, which flite reads as one word. */
const latin = (word: string) =>
  word
    .normalize('NFD')
    .replace(/[^a-z]/g, '')
    .padEnd(1, 'a');
