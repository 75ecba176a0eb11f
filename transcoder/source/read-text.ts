import { readFile } from 'node:fs/promises';
import { TaskFailure } from '../model/task-failure.ts';
import type { Origin } from './origin.ts';
import { SparseFile, type SparseOptions } from './sparse-file.ts';

const FIRST = 64 * 1024;

/**
 * The complete text of an origin. Throws TaskFailure with a `source_…` code, or `captions_invalid` if it is not text.
 */
export async function textAt(origin: Origin, options: SparseOptions): Promise<string> {
  const file = await SparseFile.open(origin, FIRST, options);
  try {
    await file.whole();
    return textOf(await readFile(file.path));
  } finally {
    await file.close();
  }
}

/** Decodes UTF-8, UTF-16 with a byte order mark, or Windows-1252, as in old caption files. Throws `captions_invalid` for others whose letters show it. */
export function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes.includes(0))
    throw new TaskFailure(
      'captions_invalid',
      'The file is not a text file. Give SubRip, WebVTT, ASS, words as JSON or plain text.',
    );
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const text = new TextDecoder('utf-8').decode(bytes);
    if (saysUtf8(bytes) || isDamaged(text)) return text;
    const western = new TextDecoder('windows-1252').decode(bytes);
    if (isWestern(western)) return western;
    throw new TaskFailure('captions_invalid', 'The file is not in UTF-8. Save it as UTF-8.');
  }
}

const saysUtf8 = ([first, second, third]: Uint8Array) => first === 0xef && second === 0xbb && third === 0xbf;

/** Characters beyond ASCII for each invalid byte from which on a text is UTF-8: in Windows-1252, hardly any letters form one. */
const VALID_PER_INVALID = 10;

/** Whether a text is UTF-8 with a few invalid bytes, such as a character that was cut in two. */
function isDamaged(text: string): boolean {
  let [valid, invalid] = [0, 0];
  for (const character of text) {
    if (character === '\ufffd') invalid += 1;
    else if (character > '\x7f') valid += 1;
  }
  return valid >= VALID_PER_INVALID * invalid;
}

/** Letters and signs beyond ASCII, without the punctuation and spaces that stand next to letters in Western languages. */
const beyond = /[^\0-\x7f\xa0¡«\xad»¿‘’“”•–—…]/;
/** Signs that no Western language has within a word, and control characters. Polish in Windows-1250 has ³ and ¹ for ł and ą. */
const foreign = /[\x80-\x9f]|(?<=\p{L})[¡-¦¨¬¯±-³¶¸¹¼-¿]\p{L}/u;

/** Whether a text makes sense in Windows-1252: in Western languages, most letters beyond ASCII stand next to letters of ASCII. */
function isWestern(text: string): boolean {
  if (foreign.test(text) || isOfLatinPage(text)) return false;
  let [together, apart] = [0, 0];
  for (let at = 1; at < text.length; at++) {
    const [one = '', other = ''] = [text[at - 1], text[at]];
    if (beyond.test(one) && beyond.test(other)) together += 1;
    else if (/[a-z]/i.test(one) ? beyond.test(other) : /[a-z]/i.test(other) && beyond.test(one)) apart += 1;
  }
  return together <= apart;
}

/** Whether the letters are those that a language of another code page becomes in Windows-1252, where no Western language has them together. */
function isOfLatinPage(text: string): boolean {
  const letters = text.toLowerCase().match(/[^\0-\x7f]/g) ?? [];
  const count = (wanted: string) => letters.filter((letter) => wanted.includes(letter)).length;
  const has = (wanted: string) => count(wanted) > 0;
  // Turkish ş, ğ and ı in Windows-1254, and Romanian ţ in 1250. Icelandic and Czech have the same letters, and vowels with an acute.
  if (has('þðý') && !has('áíúæéó')) return true;
  // Baltic languages in Windows-1257, whose ž is þ.
  if (has('þ') && count('øàèëûâîç') >= FEW) return true;
  // Hungarian ő and ű in Windows-1250. Portuguese has õ and, in older texts, ü.
  if (has('õû') && has('öü') && has('áíóú') && !has('ãç')) return true;
  // Czech and Slovak in Windows-1250, whose ř, ě, č and ů are ø, ì, è and ù.
  if (has('šž') && count('ýáí') >= FEW && count('øìèù') >= FEW && !has('ðæå')) return true;
  // South Slavic languages in Windows-1250, whose č and ć are è and æ, and which have no other marked letters but š, ž and đ.
  return (
    has('šž') && has('èæ') && !letters.some((letter) => /\p{L}/u.test(letter) && !'èæðšž'.includes(letter))
  );
}

/** Letters that are no chance: Western texts have foreign names. */
const FEW = 3;
