import { bareSpan } from '../../../model/segment-words.ts';
import { englishNames, restless } from './english-words.ts';

interface TimedText {
  text: string;
  start: number;
  end: number;
  glued: boolean;
  speaker?: string | undefined;
}

/** A pause of this many seconds ends a sentence, unless it cannot end with its last word. */
const PAUSE = 0.55;
/** A pause of this many seconds ends a sentence, whatever its last word is. */
const LONG_PAUSE = 2;

/**
 * Adds full stops and capitals to English words of an engine that gives neither. Sentences end at pauses and with their speaker;
 * question marks and commas are not guessed. Words that have capitals or punctuation keep them.
 * @param spelled Words of the caller, whose spelling is kept.
 */
export function sentenced<W extends TimedText>(words: readonly W[], spelled: ReadonlySet<string>): W[] {
  const ends = words.map((word, index) => endsAt(words, index, word));
  let first = true;
  return words.map((word, index) => {
    const ended = ends[index] ?? false;
    const own = spelled.has(bare(word.text));
    const text = own ? word.text : spelling(word.text, first);
    first = ended;
    return { ...word, text: ended && !/[.!?…,;:]["'”’)\]]*$/u.test(text) ? `${text}.` : text };
  });
}

/** Letters and digits of a word, in the case that it has. */
export function bare(text: string): string {
  const span = bareSpan(text);
  return span ? text.slice(span.from, span.to) : text;
}

function endsAt(words: readonly TimedText[], index: number, { text, end, speaker }: TimedText): boolean {
  const next = words[index + 1];
  if (!next) return true;
  if (next.glued) return false;
  if (speaker !== undefined && next.speaker !== undefined && speaker !== next.speaker) return true;
  const pause = next.start - end;
  if (pause >= LONG_PAUSE) return true;
  if (pause < PAUSE || restless.never.has(text)) return false;
  return !opensOnly(words, index);
}

/** Whether all words since the last pause only lead into a sentence, as "so" or "well" do. */
function opensOnly(words: readonly TimedText[], index: number): boolean {
  for (let at = index; ; at--) {
    const word = words[at];
    if (!word || !restless.opening.has(word.text)) return false;
    const before = words[at - 1];
    if (!before || word.start - before.end >= PAUSE) return true;
  }
}

/** Letters that are spelled out, as dictionaries of speech write them: `b.` or `b.'s`. */
const letter = /^([a-z])\.('s|s)?$/;
const initials = /^(?:[a-z]\.){2,}$/;
const lowerInitials = new Set(['a.m.', 'p.m.', 'e.g.', 'i.e.']);

function spelling(text: string, first: boolean): string {
  const [, alone, ending = ''] = letter.exec(text) ?? [];
  if (alone !== undefined) return `${alone.toUpperCase()}${ending}`;
  if (initials.test(text) && !lowerInitials.has(text)) return text.toUpperCase();
  const named = englishNames.get(text) ?? englishNames.get(text.replace(/'(s|ll|d|ve|m)$/, ''));
  if (named !== undefined) return `${named}${text.slice(named.length)}`;
  return first && /^\p{Ll}/u.test(text) && text === text.toLowerCase() ? capitalized(text) : text;
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
