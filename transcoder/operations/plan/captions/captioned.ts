import { engineUsedOf } from '../../../../schema/media/engines.ts';
import type { OperationInput } from '../../../../schema/operations/index.ts';
import type { Warning } from '../../../../schema/task/task.ts';
import { han, hangul, kana, type Letters } from '../../../model/letters.ts';
import { countText } from '../../../model/numbers/count-text.ts';
import { greatest } from '../../../model/numbers/min-max.ts';
import type { Analysis, Brought, Facts, Heard, Means, PlanRequest } from '../../../model/plan.ts';
import type { MediaProbe } from '../../../model/source/media-probe.ts';
import { TaskFailure } from '../../../model/task-failure.ts';
import type { Size } from '../geometry.ts';
import { shown } from '../require-streams.ts';
import { asSentences, languageOf, listening, recognized } from '../speech/recognition.ts';
import { listeningForSpeakers, namedBy } from '../speech/who-speaks.ts';
import { wordsDrawnAgain } from './ass-document.ts';
import { pictured } from './emoji-pictures.ts';
import { emojiWordsIn } from './emoji-words.ts';
import { fitWords } from './fit-words.ts';
import { lettersLacking } from './font-warnings.ts';
import { cased, type Drawn, roomIn, typefaceOf, typeset } from './layout.ts';
import { lengthOfWord } from './line-breaking.ts';
import { givenCaptions, givenPassages } from './parse-input.ts';
import { equallyLarge, lookOf } from './presets.ts';
import { type CaptionLayout, layoutOf, punchRules, smallestPunch } from './punch.ts';
import { heightIn, placeOf } from './safe-area.ts';
import { type CaptionCue, type GroupRules, grouped, wordsOf } from './segmentation.ts';
import { inVoices } from './speakers.ts';
import { type CaptionWord, checkWordCount, coloring, type Passage, replacing, without } from './words.ts';

/** What a request says of its captions, whatever they are drawn over. */
export type CaptionsInput = Pick<
  OperationInput<'captions_auto'>,
  | 'language'
  | 'engine'
  | 'captions'
  | 'captions_url'
  | 'time_map_task'
  | 'time_map_source'
  | 'preset'
  | 'style'
  | 'layout'
  | 'entrance'
  | 'max_words'
  | 'max_chars_per_line'
  | 'max_lines'
  | 'position'
  | 'safe_area'
  | 'replacements'
  | 'keywords'
  | 'emoji'
  | 'speakers'
  | 'speaker_colors'
  | 'vocabulary'
  | 'exclude_ranges'
>;

/** What the captions are for. */
interface Asked {
  /** Of the source, in seconds. */
  duration: number;
  /** Seconds of a frame. */
  step: number;
  /** The picture that they are drawn into; null for files alone. */
  canvas: Size | null;
  /** The picture for which they are laid out. */
  laidOutFor: Size;
  /** Whether anything draws them, be it a player with their file. */
  draws: boolean;
}

export interface CaptionsMade {
  cues: CaptionCue[];
  words: CaptionWord[];
  drawn: Drawn;
  language: string | null;
  heard: Heard | null;
  /** Whether a script of the request was aligned. */
  aligned: boolean;
}

/** What has to be known of a source before it gets captions: its words, unless the request has them with times, who says them, and the fonts. */
export function captionAnalyses(
  input: CaptionsInput,
  probe: MediaProbe,
  means: Pick<Means, 'brought' | 'engines' | 'own'>,
): Analysis[] {
  const passages = givenPassages(input, means.brought);
  const own = passages ? [] : [listening(input, scriptOf(input, means.brought), probe, means)];
  return [
    ...own,
    ...listeningForSpeakers(input, passages !== null, probe, means),
    { kind: 'letters', brought: input.style.font_url !== undefined },
  ];
}

/** Hears or reads the captions of a source, divides them and chooses how they are drawn. */
export function captionsIn(
  request: Pick<PlanRequest<CaptionsInput>, 'input' | 'facts' | 'brought'>,
  { duration, step, canvas, laidOutFor, draws }: Asked,
  warnings: Warning[],
): CaptionsMade {
  const { input } = request;
  const burns = canvas !== null;
  const { passages, heard } = spoken(request, warnings);
  const aligned = givenCaptions(input, request.brought) !== null;
  const spelled = [...input.vocabulary, ...input.replacements.map(({ to }) => to)];
  const read = (words: CaptionWord[]) =>
    heard && !aligned ? asSentences(words, heard.engine, spelled) : words;
  const replace = replacing(input.replacements);
  let count = 0;
  const left = passages.flatMap(({ words, shown }): Passage[] => {
    const changed = replace(words);
    count += changed.length;
    if (!heard) checkWordCount(count);
    const remaining = without(changed, input.exclude_ranges);
    const whole = remaining.length === changed.length;
    return remaining.length === 0 ? [] : [{ words: read(remaining), shown: whole ? shown : null }];
  });
  checkLeft(input, passages, left);
  const within = inside(left, duration, warnings);
  const language = languageOf(input, heard, warnings);
  const voiced = inVoices(within, input.speaker_colors);
  const color = coloring(input.keywords);
  const painted = pictured(voiced, input.emoji, emojiWordsIn(language)).map((passage) => ({
    ...passage,
    words: color(passage.words),
  }));
  const layout = layoutOf(input, canvas);
  const forms = language ?? languageOfScript(painted);
  const drawn = drawnOn(input, layout, laidOutFor, lettersIn(request), forms);
  const { room, widthOf } = widths(drawn);
  const smallest = layout === 'punch' ? smallestPunch(drawn) : SMALLEST;
  const fitting = burns ? fitWords(painted, room / smallest, widthOf) : painted;
  const cues = grouped(fitting, rulesOf(input, layout, drawn, { burns, step, end: duration }));
  warnings.push(...notShown(fitting, cues));
  if (burns) warnings.push(...missingGlyphs(cues, drawn), ...lettersLacking(cues, drawn));
  if (draws) checkEmoji(cues, drawn);
  if (draws) checkDrawnAgain(cues, drawn);
  return { cues, words: within.flatMap(({ words }) => words), drawn, language, heard, aligned };
}

/** The figures of captions in a result. */
export const figuresOf = ({ cues, words, language, heard, aligned }: CaptionsMade) => ({
  ...{ word_count: words.length, cue_count: cues.length, language },
  engine: heard && engineUsedOf(heard.engine, heard.model),
  times: heard ? (aligned ? 'aligned' : 'heard') : 'given',
});

function lettersIn({ facts }: Pick<PlanRequest<CaptionsInput>, 'facts'>): Letters {
  if (!facts.letters) throw new Error('the fonts were not loaded');
  return facts.letters;
}

const scriptOf = (input: CaptionsInput, brought: Brought | undefined): string | null => {
  const given = givenCaptions(input, brought);
  return given?.kind === 'script' ? given.text : null;
};

function spoken(
  { input, facts, brought }: Pick<PlanRequest<CaptionsInput>, 'input' | 'facts' | 'brought'>,
  warnings: Warning[],
): { passages: Passage[]; heard: Heard | null } {
  const passages = givenPassages(input, brought);
  if (passages) return { passages: named(passages, facts, input), heard: null };
  const heard = recognized(facts, givenCaptions(input, brought) !== null, warnings);
  return { passages: [{ words: namedBy(heard.words, facts, input, false), shown: null }], heard };
}

/** Captions with times, whose words have the speakers that were heard unless they have their own. */
function named(passages: readonly Passage[], facts: Facts, input: CaptionsInput): Passage[] {
  const words = namedBy(
    passages.flatMap((passage) => passage.words),
    facts,
    input,
    true,
  );
  let at = 0;
  return passages.map(({ words: own, shown }) => {
    const from = at;
    at += own.length;
    return { words: words.slice(from, at), shown };
  });
}

/** Throws `captions_invalid` if the request removes all captions. */
function checkLeft(input: CaptionsInput, all: readonly Passage[], left: readonly Passage[]): void {
  if (left.length > 0 || all.length === 0) return;
  const fields = (['replacements', 'exclude_ranges'] as const).filter((field) => input[field].length > 0);
  const named = fields.map((field) => `\`${field}\``).join(' and ');
  const detail = named ? `No caption is left: ${named} remove all words.` : 'The captions have no words.';
  throw new TaskFailure('captions_invalid', detail);
}

/**
 * Chooses the forms of Han characters: a line of Japanese without kana looks like Chinese. Null if few of the words say so, as names in
 * Chinese captions do: each line then goes by itself.
 */
function languageOfScript(passages: readonly Passage[]): 'ja' | 'ko' | null {
  const texts = passages.flatMap(({ words }) => words.map(({ text }) => text));
  const count = (script: RegExp) => texts.filter((text) => script.test(text)).length;
  const [inHan, inKana, inHangul] = [count(han), count(kana), count(hangul)];
  if (inKana > 0 && MOST_HAN * inKana >= inHan) return 'ja';
  return inHangul > 0 && MOST_HAN * inHangul >= inHan ? 'ko' : null;
}

/** Most words with Han characters for each in the letters of Japanese or Korean. */
const MOST_HAN = 10;

/** Drops words that start after the end of the source. */
function inside(passages: readonly Passage[], duration: number, warnings: Warning[]): Passage[] {
  const left = passages.flatMap(({ words, shown }): Passage[] => {
    const within = words.filter(({ start }) => start < duration);
    return within.length === 0 ? [] : [{ words: within, shown }];
  });
  const lost = passages.flatMap(({ words }) => words).length - left.flatMap(({ words }) => words).length;
  if (lost > 0) {
    const detail = `${countText(lost, 'word')} ${lost === 1 ? 'starts' : 'start'} after the end of the source, which is ${shown(duration)} s long.`;
    if (left.length === 0) throw new TaskFailure('time_out_of_range', detail, { sourceIndex: 0 });
    warnings.push({ code: 'captions_dropped', detail });
  }
  return left;
}

/** Of captions that begin at the same time, a few fit into one. */
function notShown(passages: readonly Passage[], cues: readonly CaptionCue[]): Warning[] {
  const count = passages.reduce((sum, { words }) => sum + words.length, 0);
  const lost = count - cues.reduce((sum, cue) => sum + wordsOf(cue).length, 0);
  if (lost <= 0) return [];
  const detail = `${countText(lost, 'word')} ${lost === 1 ? 'is' : 'are'} not shown, because too many captions begin at the same time or at the end of the source.`;
  return [{ code: 'captions_dropped', detail }];
}

/** Lines lie on whole pixels, and smooth edges reach a little further. */
const PIXELS = 3;

function drawnOn(
  input: CaptionsInput,
  layout: CaptionLayout,
  picture: { width: number; height: number },
  letters: Letters,
  language: string | null,
): Drawn {
  const percent = (share: number) => (share / 100) * Math.min(picture.width, picture.height);
  const look = equallyLarge(input, lookOf(input, layout === 'punch', percent), letters);
  const line = percent(look.size);
  const position = input.position ?? (layout === 'punch' ? 'center' : 'bottom');
  const place = placeOf({ ...input, position }, picture);
  const tallest = layout === 'punch' ? picture.height / 3 : heightIn(place) - PIXELS;
  return { look, line, tallest, letters, language, place, entrance: input.entrance };
}

/** A word that is too wide shrinks to this factor before it is divided. */
const SMALLEST = 0.75;

/** Width of the room for captions, and of a word; in line heights. */
function widths(drawn: Drawn): { room: number; widthOf: (text: string) => number } {
  const type = typefaceOf(drawn);
  return {
    room: roomIn(drawn) / drawn.line,
    widthOf: (text) => drawn.letters.lineOf(cased(text, drawn), type).width,
  };
}

/** Emoji of one video; each is drawn as up to some dozens of outlines. */
const MOST_EMOJI = 2000;
/** Each part of an entrance draws all outlines again. */
const MOST_ENTERING_EMOJI = 400;

/** The emoji of a word is drawn in three sizes. */
const POPPING = 3;

/** Throws `captions_invalid`. */
function checkEmoji(cues: readonly CaptionCue[], drawn: Drawn): void {
  const own = typeset(cues, drawn).flatMap(({ set }) => set.clusters.filter(({ emoji }) => emoji !== null));
  const count =
    own.length + POPPING * cues.flatMap(wordsOf).filter(({ emoji }) => emoji !== undefined).length;
  const [most, how] =
    drawn.entrance === 'none' ? [MOST_EMOJI, 'drawn'] : [MOST_ENTERING_EMOJI, 'drawn with an `entrance`'];
  if (count <= most) return;
  throw new TaskFailure(
    'captions_invalid',
    `The captions have ${count} emoji; at most ${most} can be ${how}.`,
  );
}

/** Each takes some 70 bytes of the document. */
const MOST_DRAWN_AGAIN = 2_000_000;

/** Throws `captions_invalid`. */
function checkDrawnAgain(cues: readonly CaptionCue[], drawn: Drawn): void {
  if (wordsDrawnAgain(cues, drawn) <= MOST_DRAWN_AGAIN) return;
  const longest = greatest(cues.map((cue) => wordsOf(cue).length));
  const detail = `The captions have up to ${countText(longest, 'word')}, and each is drawn again for every word that it highlights, which is too much for ${countText(cues.length, 'caption')}. Use a smaller \`max_words\` or \`max_lines\`.`;
  throw new TaskFailure('captions_invalid', detail);
}

/** Characters that no installed font has are drawn as boxes. */
function missingGlyphs(cues: readonly CaptionCue[], drawn: Drawn): Warning[] {
  const lines = typeset(cues, drawn);
  const missing = new Set(lines.flatMap(({ set }) => set.missing));
  const emoji = new Set([
    ...lines.flatMap(({ text, set }) =>
      set.clusters.flatMap(({ emoji, from, to }) => (emoji ? [text.slice(from, to)] : [])),
    ),
    ...cues.flatMap(wordsOf).flatMap((word) => word.emoji ?? []),
  ]);
  const unknown = [...emoji].filter((one) => drawn.letters.emoji(one).length === 0);
  const warned = (which: readonly string[], what: string): Warning[] => {
    if (which.length === 0) return [];
    const some = `${which.slice(0, 10).join(' ')}${which.length > 10 ? ' …' : ''}`;
    return [{ code: 'glyphs_missing', detail: `No font has these ${what}: ${some}` }];
  };
  return [
    ...warned([...missing], 'characters, which are drawn as boxes'),
    ...warned(unknown, 'emoji, which are left out'),
  ];
}

/** Frames between two captions, to make the change visible, and the most seconds that they are. */
const APART = 2;
const MOST_APART = 0.1;

function rulesOf(
  input: CaptionsInput,
  layout: CaptionLayout,
  drawn: Drawn,
  { burns, step, end }: { burns: boolean; step: number; end: number },
): GroupRules {
  const { room, widthOf } = widths(drawn);
  const punch = layout === 'punch' ? punchRules(input) : null;
  const maxChars = punch?.maxChars ?? input.max_chars_per_line;
  const word = layout === 'word';
  // A line of `maxChars` is full when the room is.
  const lengthOf = (one: CaptionWord) =>
    burns ? Math.max(lengthOfWord(one), (widthOf(one.text) / room) * maxChars) : lengthOfWord(one);
  return {
    ...{ maxChars, lengthOf },
    maxLines: layout === 'phrase' ? input.max_lines : 1,
    maxWords: word ? 1 : (input.max_words ?? Number.POSITIVE_INFINITY),
    ...(word
      ? { least: 0, pace: Number.POSITIVE_INFINITY, gap: 0 }
      : { least: 0.833, pace: 20, gap: Math.min(APART * step, MOST_APART) }),
    ...{ most: 7, end },
    ...punch,
  };
}
