import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../ffmpeg/run.ts';
import { pocketsphinxModel } from '../registry.ts';
import type { Speaking } from './programs.ts';

/** The pronunciations of English that PocketSphinx comes with, those of Carnegie Mellon University. */
export const dictionaryFile = `${pocketsphinxModel}/cmudict-en-us.dict`;

/** The phones of a word, in ARPAbet. */
export type Pronunciation = readonly string[];

/**
 * How English words are said: what the dictionary has of each, and for others what flite makes of their letters. At least
 * one of every word. Throws as `run` does.
 * @param words In small letters.
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

/** Pronunciations as Sphinx reads them: those of a word after its first are numbered. */
export function dictionaryText(known: Iterable<readonly [string, readonly Pronunciation[]]>): string {
  const lines = [...known].flatMap(([word, said]) =>
    said.map((phones, index) => `${word}${index === 0 ? '' : `(${index + 1})`} ${phones.join(' ')}`),
  );
  return `${lines.join('\n')}\n`;
}

/** A sound that says nothing, for what flite cannot say either. */
const ANY = 'AH';

async function phonesOf(
  words: readonly string[],
  { programs, directory, signal }: Speaking,
): Promise<Pronunciation[]> {
  if (words.length === 0) return [];
  await writeFile(join(directory, 'unknown.txt'), words.map((word) => `${latin(word)}.\n\n`).join(''));
  const args = ['-voice', 'rms', '-ps', '-f', 'unknown.txt', '-o', 'none'];
  const { stdout } = await run(programs, 'flite', args, { cwd: directory, signal, timeoutSeconds: 300 });
  const said = stdout.split('\n').filter((line) => line.trim() !== '');
  return words.map((_, index) => {
    const phones = (said[index] ?? '').split(/\s+/).filter((phone) => phone !== '' && phone !== 'pau');
    return phones.length === 0 ? [ANY] : phones.map((phone) => (phone === 'ax' ? ANY : phone.toUpperCase()));
  });
}

/** Letters that flite reads as one word. */
const latin = (word: string) =>
  word
    .normalize('NFD')
    .replace(/[^a-z]/g, '')
    .padEnd(1, 'a');
