import { z } from 'zod';
import { captionLimits } from '../../../../schema/media/caption-limits.ts';
import { isGlued } from '../../../model/segment-words.ts';
import { type ScriptWord, scriptWords, spokenOf } from '../script-words.ts';

/** A word of a transcript, in seconds of the sound that was sent. */
export interface TimedWord {
  text: string;
  glued: boolean;
  start: number;
  end: number;
  confidence: number | null;
}

/** A part of a transcript whose words were placed by their length, because the provider gave no usable times. */
export interface Guess {
  start: number;
  end: number;
  /** Indices of its words. */
  from: number;
  to: number;
}

export interface Transcript {
  words: TimedWord[];
  guesses: Guess[];
  /** As the provider says it, such as `en` or `english`. */
  language: string | null;
}

const MOST_TEXT = 100_000;
const MOST_ITEMS = 5000;
/** More than anybody says, and than the 448 tokens with which Whisper ends. */
const mostWords = (seconds: number) => 50 + 30 * seconds;

const givenWord = z.object({
  word: z.string().max(200),
  start: z.number(),
  end: z.number(),
  probability: z.number().min(0).max(1).nullish().catch(null),
});
type GivenWord = z.output<typeof givenWord>;

const givenWords = z.array(givenWord).max(MOST_ITEMS).nullish().catch(null);

const givenSegment = z.object({
  start: z.number(),
  end: z.number(),
  text: z.string().max(MOST_TEXT),
  words: givenWords,
  avg_logprob: z.number().nullish().catch(null),
  no_speech_prob: z.number().nullish().catch(null),
});
type GivenSegment = z.output<typeof givenSegment>;

const givenLanguage = z.string().max(100).nullish().catch(null);

/**
 * `verbose_json` as OpenAI, Groq, vLLM, Speaches, LocalAI, whisper.cpp and Workers AI send it: words at the top, in the segments, or
 * nowhere; null, absent or empty. Other fields differ and are not read.
 */
const given = z.object({
  text: z.string().max(MOST_TEXT),
  language: givenLanguage,
  /** Where Workers AI has the language. */
  transcription_info: z.object({ language: givenLanguage }).nullish().catch(null),
  words: givenWords,
  segments: z.array(givenSegment).max(MOST_ITEMS).nullish().catch(null),
});

/** Whisper's own rule for a segment without speech. */
const isSilent = ({ no_speech_prob, avg_logprob }: GivenSegment) =>
  (no_speech_prob ?? 0) > 0.6 && (avg_logprob ?? 0) < -1;

/**
 * Reads the answer to a sound of `seconds`. Times that cannot be true are replaced by guesses. Throws if it is no transcript.
 */
export function transcriptOf(answer: unknown, seconds: number): Transcript {
  const transcript = readTranscript(answer, seconds);
  if (transcript.words.length > mostWords(seconds)) throw new Error('more words than anybody says');
  return transcript;
}

function readTranscript(answer: unknown, seconds: number): Transcript {
  const { text, words: top, segments: all, ...about } = given.parse(answer);
  const silent = (all ?? []).filter(isSilent);
  const segments = (all ?? []).filter((segment) => !isSilent(segment));
  const within = ({ start, end }: GivenWord) =>
    !silent.some((segment) => start >= segment.start - 0.01 && end <= segment.end + 0.01);
  const words = (top?.length ? top : segments.flatMap(({ words: own }) => own ?? [])).filter(within);
  const spoken = segments.length > 0 || silent.length > 0 ? followed(segments) : text;
  const said = {
    words: [],
    guesses: [],
    language: about.language || about.transcription_info?.language || null,
  };
  if (words.length > 0 && areTimes(words, seconds)) {
    const { timed, rest } = withPunctuation(lettered(spoken), joined(words));
    return { ...said, ...withRest(oneByOne(timed.map(inside(seconds))), rest, seconds) };
  }
  if (segments.length > 0 && areTimes(segments, seconds)) return guessed(segments, seconds, said);
  return guessed([{ start: 0, end: seconds, text: spoken }], seconds, said);
}

/** Tolerance for times that a model rounds, in seconds. */
const SLACK = 1;

/** Whether times are in order and inside the sound; other servers count in milliseconds or from another start. */
function areTimes(spans: readonly { start: number; end: number }[], seconds: number): boolean {
  let before = -SLACK;
  for (const { start, end } of spans) {
    if (!(start >= before - 0.2 && end >= start && end <= seconds + SLACK)) return false;
    before = start;
  }
  // A transcript whose words are all at one moment has no times either.
  return spans.length < 3 || (spans.at(-1)?.end ?? 0) > (spans[0]?.start ?? 0);
}

const inside =
  (seconds: number) =>
  (word: TimedWord): TimedWord => {
    const start = Math.min(Math.max(0, word.start), seconds);
    return { ...word, start, end: Math.min(Math.max(start, word.end), seconds) };
  };

/** Words that end before the next one starts, for cuts between them. */
function oneByOne(words: readonly TimedWord[]): TimedWord[] {
  let before = 0;
  const ordered = words.map((word) => {
    before = Math.max(before, word.start);
    return { ...word, start: before, end: Math.max(before, word.end) };
  });
  return ordered.map((word, index) => ({
    ...word,
    end: Math.min(word.end, ordered[index + 1]?.start ?? word.end),
  }));
}

const plain = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');

/** The text of segments. In scripts without spaces they follow each other without one. */
const followed = (segments: readonly GivenSegment[]) =>
  segments
    .map(({ text }, index) => {
      const before = segments[index - 1]?.text.slice(-LONGEST_UNSPACED) ?? '';
      return isGlued(before, text.slice(0, LONGEST_UNSPACED)) ? text : ` ${text}`;
    })
    .join('');

const hasRoom = (text: string, more: string) => text.length + more.length < captionLimits.wordCharacters;

/** The words of a text. A sign that stands alone, as in `50 %` or `R & D`, is part of the word before it, or after it at the beginning. */
function lettered(text: string): ScriptWord[] {
  const words: ScriptWord[] = [];
  let lead = '';
  for (const word of scriptWords(text)) {
    const space = word.glued ? '' : ' ';
    const last = words.at(-1);
    if (plain(word.text) !== '') {
      words.push(lead === '' ? word : { ...word, text: `${lead}${space}${word.text}`, glued: false });
      lead = '';
    } else if (last) {
      if (hasRoom(last.text, word.text)) last.text += `${space}${word.text}`;
    } else if (word.spoken.length > 0 && hasRoom(lead, word.text)) {
      lead += lead === '' ? word.text : `${space}${word.text}`;
    }
  }
  return words;
}

/** The words of a provider. Signs and punctuation that it lists as words are part of the word before them. */
function joined(words: readonly GivenWord[]): GivenWord[] {
  const spaced = words.some(({ word }) => /^\s/.test(word));
  const result: GivenWord[] = [];
  for (const given of words) {
    const text = given.word.trim();
    if (plain(text) !== '') {
      result.push({ ...given, word: text });
      continue;
    }
    const last = result.at(-1);
    if (text === '' || !last || !hasRoom(last.word, text)) continue;
    const isSaid = spokenOf(text).length > 0;
    const apart = spaced ? /^\s/.test(given.word) : isSaid;
    last.word += apart ? ` ${text}` : text;
    // The time of punctuation is a pause.
    if (isSaid) last.end = Math.max(last.end, given.end);
  }
  return result;
}

/**
 * The words of the text, which have punctuation, with the times of the recognized ones, which often have none. Where both differ, the
 * recognized words are kept as they are. `rest` is what the text says after the last of them.
 */
function withPunctuation(
  texts: readonly ScriptWord[],
  words: readonly GivenWord[],
): { timed: TimedWord[]; rest: readonly ScriptWord[] } {
  const timed: TimedWord[] = [];
  let [from, at] = [0, 0];
  while (from < texts.length) {
    const same = sameLetters(texts, from, words, at);
    if (same === 'ended') return { timed, rest: texts.slice(from) };
    if (!same) return { timed: asHeard(words), rest: [] };
    for (const word of grouped(texts.slice(from, same.from), words.slice(at, same.at))) timed.push(word);
    [from, at] = [same.from, same.at];
  }
  return { timed: at < words.length ? asHeard(words) : timed, rest: [] };
}

/**
 * Up to where words of the text and recognized ones have the same letters. In scripts without spaces, they are often divided
 * otherwise. Null if the letters do, `ended` if there are no more recognized words.
 */
function sameLetters(
  texts: readonly ScriptWord[],
  from: number,
  words: readonly GivenWord[],
  at: number,
): { from: number; at: number } | 'ended' | null {
  let [wanted, heard] = ['', ''];
  while (wanted === '' || wanted.length !== heard.length) {
    const asksText = wanted.length <= heard.length;
    const [known, other] = asksText ? [wanted, heard] : [heard, wanted];
    const next = asksText ? texts[from++]?.text : words[at++]?.word;
    if (next === undefined) return asksText ? null : 'ended';
    const letters = plain(next);
    const beyond = other.slice(known.length);
    if (!beyond.startsWith(letters) && !letters.startsWith(beyond)) return null;
    if (asksText) wanted += letters;
    else heard += letters;
  }
  return { from, at };
}

/** In scripts without spaces, words up to this length are not divided at a guessed time. */
const LONGEST_UNSPACED = 12;

/** Words of the text with the time of the recognized words that have their letters. */
function grouped(texts: readonly ScriptWord[], words: readonly GivenWord[]): TimedWord[] {
  const whole: { text: string; glued: boolean }[] = [];
  for (const { text, glued } of texts) {
    const last = whole.at(-1);
    if (last && glued && last.text.length + text.length <= LONGEST_UNSPACED) last.text += text;
    else whole.push({ text, glued });
  }
  const sure = words.map(({ probability }) => probability ?? null);
  const confidence = sure.includes(null) ? null : sure.reduce<number>((all, one) => all * (one ?? 1), 1);
  const [start, end] = [words[0]?.start ?? 0, words.at(-1)?.end ?? 0];
  // One word has these times exactly, without rounding.
  if (whole.length === 1) return whole.map((word) => ({ ...word, start, end, confidence }));
  return spread(whole, { start, end }).map((word) => ({ ...word, confidence }));
}

const asHeard = (words: readonly GivenWord[]): TimedWord[] =>
  words.map(({ word, start, end, probability }, index) => ({
    ...{ text: word, glued: isGlued(words[index - 1]?.word ?? '', word), start, end },
    confidence: probability ?? null,
  }));

/** Least seconds that a word takes. */
const WORD = 0.1;

/** Places what the text says after the last word with a time. If there is too little time left, that word shares its own. */
function withRest(
  timed: readonly TimedWord[],
  rest: readonly ScriptWord[],
  seconds: number,
): Pick<Transcript, 'words' | 'guesses'> {
  if (rest.length === 0) return { words: [...timed], guesses: [] };
  const last = timed.at(-1);
  const fits = seconds - (last?.end ?? 0) >= WORD * rest.length;
  const kept = fits || !last ? timed : timed.slice(0, -1);
  const placed = fits || !last ? rest : [last, ...rest];
  const span = { start: (fits ? last?.end : last?.start) ?? 0, end: seconds };
  const words = [...kept, ...spread(placed, span)];
  return { words, guesses: [{ ...span, from: kept.length, to: words.length }] };
}

/** Gives words times in proportion to their letters. */
function spread(
  texts: readonly { text: string; glued: boolean }[],
  { start, end }: { start: number; end: number },
): TimedWord[] {
  const letters = texts.reduce((sum, { text }) => sum + text.length + 1, 0);
  const at = (count: number) => start + (Math.max(0, end - start) * count) / letters;
  let passed = 0;
  return texts.map(({ text, glued }) => {
    const begins = at(passed);
    passed += text.length + 1;
    return { text, glued, start: begins, end: at(passed), confidence: null };
  });
}

function guessed(
  spans: readonly { start: number; end: number; text: string }[],
  seconds: number,
  said: Transcript,
): Transcript {
  const words: TimedWord[] = [];
  const guesses: Guess[] = [];
  for (const { text, ...span } of spans) {
    const texts = lettered(text);
    if (texts.length === 0) continue;
    const [start, end] = [Math.max(0, span.start), Math.min(seconds, span.end)];
    const from = words.length;
    for (const word of spread(texts, { start, end })) words.push(word);
    guesses.push({ start, end, from, to: words.length });
  }
  return { ...said, words, guesses };
}
