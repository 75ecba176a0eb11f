/**
 * `node scripts/emoji-names.ts DIR`: writes the words of `emoji: auto` in other languages than English, from the annotations of
 * Unicode CLDR. `DIR` is the unpacked npm package `cldr-annotations-full`.
 *
 * A word counts if it is the whole name of an emoji in that language, and the emoji is one that the English list has. Keywords are left
 * out: they also say what an emoji may hint at, such as "part" for a pizza.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emojiLanguages } from '../schema/media/emoji.ts';
import { emojiWordsIn } from '../transcoder/operations/plan/captions/emoji-words.ts';

interface Annotations {
  annotations: { annotations: Record<string, { tts?: string[] }> };
}

/** Names of whole animals, houses and trees, where the English list has their faces or another of their kind. */
const alike: Record<string, string> = { '🐕': '🐶', '🐈': '🐱', '🐎': '🐴', '🏡': '🏠', '🌲': '🌳' };

/** No name says them: a cross is also a church, the globe has the meridians, and letters stand for a sound. */
const unnamed = new Set(['❌', '🌐']);

/** Names with a second meaning that is as common, such as a verb, a currency or a person. */
const ambiguous: Partial<Record<string, string>> = {
  cs: 'duch koruna zzz',
  da: 'fly krone ring tog vægt',
  el: 'ζζζ',
  es: 'corona diana león',
  et: 'kroon tuli täht zzz',
  fi: 'tuli zzz',
  fr: 'chat clap vague',
  hr: 'duh klapa zzz',
  hu: 'hal nap szellem',
  it: 'corona gemma onda piano sole',
  lv: 'zzz',
  mt: 'zzz',
  nl: 'golf ring slot',
  pl: 'duch klaps',
  pt: 'aviso onda presente tênis zzz',
  ro: 'leu sfor',
  sk: 'chŕ duch koruna vrch',
  sl: 'duh klapa lev',
  sv: 'krona ring våg',
  uk: 'ваги',
};

const plain = (emoji: string) => emoji.replaceAll('\uFE0F', '');

function namesIn(language: string, directory: string, ours: ReadonlyMap<string, string>): string {
  const path = join(directory, 'annotations', language, 'annotations.json');
  const { annotations } = (JSON.parse(readFileSync(path, 'utf8')) as Annotations).annotations;
  const found = new Map<string, Set<string>>();
  for (const [emoji, { tts = [] }] of Object.entries(annotations)) {
    for (const name of tts) {
      const word = name.toLocaleLowerCase(language);
      if (!/^\p{L}[\p{L}\p{M}'’-]+$/u.test(word)) continue;
      found.set(word, (found.get(word) ?? new Set()).add(ours.get(plain(emoji)) ?? emoji));
    }
  }
  const excluded = new Set(ambiguous[language]?.split(' '));
  const known = new Set(ours.values());
  return [...found]
    .flatMap(([word, emoji]) => {
      const [only, ...others] = emoji;
      const fits = only !== undefined && others.length === 0 && known.has(only) && !unnamed.has(only);
      return fits && !excluded.has(word) ? [`${word} ${only}`] : [];
    })
    .sort()
    .join(' ');
}

const [directory] = process.argv.slice(2);
if (directory === undefined) {
  console.error('node scripts/emoji-names.ts DIR, the unpacked npm package cldr-annotations-full');
  process.exitCode = 2;
} else {
  const { version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    version: string;
  };
  const english = emojiWordsIn('en').map(({ emoji }) => emoji);
  const ours = new Map(english.map((emoji) => [plain(emoji), emoji]));
  for (const [other, emoji] of Object.entries(alike)) ours.set(other, emoji);
  const languages = emojiLanguages.filter((language) => language !== 'en');
  const names = Object.fromEntries(
    languages.map((language) => [language, namesIn(language, directory, ours)]),
  );
  const path = new URL('../transcoder/operations/plan/captions/emoji-names.json', import.meta.url);
  writeFileSync(path, `${JSON.stringify({ cldr: version, names }, null, 2)}\n`);
}
