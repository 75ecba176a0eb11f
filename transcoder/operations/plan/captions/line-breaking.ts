import { isAbbreviation } from '../../../model/abbreviations.ts';
import type { CaptionWord } from './words.ts';

const wide = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Hangul}\u3000-\u303F\uFF01-\uFF60]/u;
const unseen = /\p{M}|\p{Cf}/u;

/** Display width in characters: combining marks count 0, East Asian wide characters 2. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const character of text) length += unseen.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return length;
}

/** At least 1, otherwise words of combining marks alone would all fit into one line. */
export const lengthOfWord = ({ text }: CaptionWord) => Math.max(1, lengthOf(text));

/** Articles and prepositions, which should not end a line. */
const clinging = new Set(
  [
    'a an the of in on at by for to from with into onto about over under between without within through during as and or',
    'der die das den dem des ein eine einen einem einer im am zu zum zur von vom mit für auf aus bei nach und oder',
    'le la les un une des du de au aux à dans sur par pour avec sans et ou en',
    'el los las una del al con por para sin y o il lo gli uno di da su per e os as um uma do da no na ao',
  ]
    .join(' ')
    .split(' '),
);

/** Whether a word belongs with the next one, which rules out a line or caption break after it. */
export function bindsToNextWord({ text }: CaptionWord): boolean {
  return clinging.has(text.toLowerCase()) || isAbbreviation(text);
}

export const endsSentence = ({ text }: CaptionWord) =>
  /[.!?…。！？۔؟।]["'”’)\]」』]*$/u.test(text) && !isAbbreviation(text);
export const endsClause = ({ text }: CaptionWord) => /[,;:–—、，،؛]["'”’)\]」』]*$/u.test(text);

export interface LineRules {
  maxChars: number;
  /** Length of a word in characters, more if it is wider than they usually are. */
  lengthOf: (word: CaptionWord) => number;
  maxLines: number;
}

/** For each word, the end of the longest caption that can start with it, however its lines are broken. */
export function longestCaptionEnds(
  words: readonly CaptionWord[],
  lengths: readonly number[],
  { maxChars, maxLines }: LineRules,
): number[] {
  return words.map((_, from) => {
    let [lines, length, to] = [1, 0, from];
    for (; to < words.length; to++) {
      const own = lengths[to] ?? 0;
      const longer = length + own + (length > 0 && !words[to]?.glued ? 1 : 0);
      if (length > 0 && longer > maxChars) [lines, length] = [lines + 1, own];
      else length = longer;
      if (length > maxChars || lines > maxLines) break;
    }
    return to;
  });
}

const CLINGING = 50;
const TOO_LONG = 1e6;

const startsTurn = ({ text }: CaptionWord) => /^[-–—‐−](?!\d)/u.test(text);

/** What each person says in a caption such as "- Hi. - Hello!", whose turns begin with a dash. */
function turnsOf(words: readonly CaptionWord[]): CaptionWord[][] {
  const [first] = words;
  if (!first || !startsTurn(first)) return [[...words]];
  const turns: CaptionWord[][] = [];
  for (const [index, word] of words.entries()) {
    const before = words[index - 1];
    if (!before || (startsTurn(word) && endsSentence(before))) turns.push([word]);
    else turns.at(-1)?.push(word);
  }
  return turns;
}

/** Lines for words, of which each turn of a dialogue begins one if there is room. Null if they do not fit. */
export function linesOf(words: readonly CaptionWord[], rules: LineRules): CaptionWord[][] | null {
  const turns = turnsOf(words);
  if (turns.length > 1) {
    const lines = turns.map((turn) => evenLines(turn, rules));
    const all = lines.every((each) => each !== null) ? lines.flat() : null;
    if (all && all.length <= rules.maxLines) return all;
  }
  return evenLines(words, rules);
}

/**
 * Breaks words into as few lines as possible, of similar length, preferably after punctuation and not after an article
 * or preposition. Null if they do not fit. A word longer than a line gets a line of its own.
 */
function evenLines(
  words: readonly CaptionWord[],
  { maxChars, maxLines, lengthOf: ownLength }: LineRules,
): CaptionWord[][] | null {
  const own = words.map(ownLength);
  const lengths = words.map((_, from) => {
    const row: number[] = [];
    let length = 0;
    for (let to = from; to < words.length; to++) {
      const word = words[to];
      if (!word) break;
      length += (own[to] ?? 0) + (to > from && !word.glued ? 1 : 0);
      if (length > maxChars && to > from) break;
      row.push(length);
    }
    return row;
  });
  const total = own.reduce((sum, length, at) => sum + length + (at > 0 && !words[at]?.glued ? 1 : 0), 0);
  for (let count = 1; count <= maxLines; count++) {
    const ends = breaksInto(words, lengths, count, maxChars, total);
    if (!ends) continue;
    return ends.map((end, index) => words.slice(ends[index - 1] ?? 0, end));
  }
  return null;
}

/** The end of each of `lines` lines; null if the words do not fit into that number. */
function breaksInto(
  words: readonly CaptionWord[],
  lengths: readonly (readonly number[])[],
  count: number,
  maxChars: number,
  total: number,
): number[] | null {
  const target = Math.min(maxChars, total / count);
  // best[line][end]: lowest cost of putting the first `end` words into `line` lines.
  let best = new Map<number, { cost: number; ends: number[] }>([[0, { cost: 0, ends: [] }]]);
  for (let line = 0; line < count; line++) {
    const next = new Map<number, { cost: number; ends: number[] }>();
    for (const [from, { cost, ends }] of best) {
      for (const [step, length] of (lengths[from] ?? []).entries()) {
        const to = from + step + 1;
        const word = words[to - 1];
        if (!word || (line === count - 1) !== (to === words.length)) continue;
        const off = (length - target) / maxChars;
        const here =
          cost +
          4 * off * off +
          (to < words.length ? breakCost(word) : 0) +
          (length > maxChars ? TOO_LONG : 0);
        const known = next.get(to);
        if (!known || here < known.cost) next.set(to, { cost: here, ends: [...ends, to] });
      }
    }
    best = next;
  }
  const found = best.get(words.length);
  const alone = words.length === 1;
  return found && (found.cost < TOO_LONG || alone) ? found.ends : null;
}

function breakCost(word: CaptionWord): number {
  if (bindsToNextWord(word)) return CLINGING;
  if (endsSentence(word)) return 0;
  return endsClause(word) ? 0.05 : 0.3;
}
