import { greatest, least } from '../../../model/numbers/min-max.ts';
import { bareSpan } from '../../../model/segment-words.ts';
import { assColor, tagColor } from './ass-color.ts';
import { shape } from './ass-drawing.ts';
import { entering } from './ass-override.ts';
import { rowText } from './ass-text.ts';
import { farFrom, readableIn, readableOn } from './contrast.ts';
import { emojiAbove } from './emoji-above.ts';
import { emojiEvents } from './emoji-events.ts';
import { movementsOf } from './entrance.ts';
import {
  BOX_EDGE,
  type CaptionEvent,
  type Drawn,
  drawingAt,
  extentOf,
  type Laid,
  type LaidWord,
  laidOut,
  POP,
  type Row,
} from './layout.ts';
import { type Look, OWN_OUTLINE } from './presets.ts';
import { rightToLeft } from './row-direction.ts';
import { type CaptionCue, wordsOf } from './segmentation.ts';
import type { CaptionWord } from './words.ts';

/** Scripts whose letters change with their neighbours. */
const joining =
  /[\p{sc=Arab}\p{sc=Syrc}\p{sc=Mong}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}]/u;

/** Layer of the letters; higher ones are drawn on top. */
const LETTERS = 2;

/** Override blocks for a word, and for its letters by their offsets in it. */
interface WordTags {
  before?: string;
  after?: string;
  letters?: ReadonlyMap<number, string>;
}

export function eventsOf(cue: CaptionCue, drawn: Drawn): CaptionEvent[] {
  const laid = laidOut(cue, drawn);
  const movements = movementsOf(cue, laid, drawn);
  const at = movements.at(-1)?.end;
  const emoji = emojiAbove(cue, laid, drawn);
  if (at === undefined) return [...eventsIn(cue, 'whole', laid, drawn), ...emoji];
  const entrance = movements.flatMap((movement) => {
    const events = eventsIn({ ...cue, start: movement.start, end: movement.end }, 'entering', laid, drawn);
    const blurred = movement.from.blur > 0 ? events.flatMap((each) => outlineApart(each, drawn)) : events;
    return blurred.map((each) => entering(each, movement, laid, drawn.place));
  });
  return [...entrance, ...eventsIn({ ...cue, start: at }, 'settled', laid, drawn), ...emoji];
}

/** What of a caption's time is drawn: everything, part of its entrance, or what follows that. */
type Phase = 'whole' | 'entering' | 'settled';

/** A caption between its start and end. While it enters, nothing is filled or typed. */
function eventsIn(cue: CaptionCue, phase: Phase, laid: Laid, drawn: Drawn): CaptionEvent[] {
  const { look } = drawn;
  const soft = look.softness * laid.line;
  const event = (text: string, layer = LETTERS, blur = soft): CaptionEvent => ({
    ...{ layer, start: cue.start, end: cue.end, margin: laid.margin },
    ...{ at: null, blur, moves: null, text },
  });
  const plain = () => blockText(laid, drawn, (word) => tagsOf(colorOf(word), laid, drawn));
  const box = look.background ? [boxAround(cue, laid, drawn)] : [];
  const { effect } = look;
  const waits = phase === 'entering' && effect === 'type';
  const emoji = waits ? [] : emojiEvents(laid, drawn, cue.end, appearing(cue, laid, drawn));
  const text = () => {
    const byWord = isDrawnByWord(wordsIn(laid), look);
    const marks = effect === 'pill' ? pills(cue, laid, drawn) : [];
    if (byWord) return [...marks, ...spokenEvents(cue, phase, laid, drawn)];
    if (effect === 'fill') return [event(phase === 'entering' ? plain() : filling(cue, laid, drawn))];
    if (effect === 'type') return waits ? [] : [event(typing(cue, laid, drawn))];
    if (effect === 'glow')
      return [
        ...glows(
          laid,
          drawn,
          blockText(laid, drawn, () => ({})),
        ).map((each) => event(...each)),
        event(plain()),
      ];
    return [...marks, event(plain())];
  };
  return [...box, ...text(), ...emoji];
}

/** Whether a caption is drawn once for each of its words, every time with another one highlighted. */
export function isDrawnByWord(words: readonly CaptionWord[], look: Look): boolean {
  const { effect } = look;
  if (effect === 'color' || effect === 'pop') return true;
  if (effect === 'fill') {
    const reordered = words.some(({ text }) => rightToLeft.test(text));
    // The letters have one outline, before and after they are filled.
    const outlined = words.some((word) =>
      [word.color ?? look.highlight, colorOf(word) ?? look.highlight].some((one) => !readableIn(one, look)),
    );
    return reordered || outlined;
  }
  const isReadable = (word: CaptionWord) => readableOn(word.tint ?? look.color, word.color ?? look.highlight);
  return effect === 'pill' && !words.every(isReadable);
}

/** If there is an outline, libass blurs it and not the letters: each gets an event of its own. */
function outlineApart(event: CaptionEvent, { look }: Drawn): CaptionEvent[] {
  const bordered = event.at === null && event.layer === LETTERS && look.outline.width + look.shadow > 0;
  if (!bordered) return [event];
  return [
    { ...event, text: `{\\1a&HFF&}${event.text}` },
    { ...event, text: `{\\bord0\\shad0}${event.text}` },
  ];
}

/** The color of a word that is not spoken; undefined for that of the preset. */
const colorOf = ({ color, tint }: CaptionWord): string | undefined => color ?? tint;

const wordsIn = ({ rows }: Laid): LaidWord[] => rows.flatMap(({ words }) => words);

/** The text of all rows. @param tags Of each word of the caption. */
function blockText(laid: Laid, { look }: Drawn, tags: (word: LaidWord, index: number) => WordTags): string {
  let index = 0;
  const rows = laid.rows.map((row) => {
    const placed = new Map<number, string>();
    const add = (at: number, tag: string | undefined) => {
      if (tag) placed.set(at, `${placed.get(at) ?? ''}${tag}`);
    };
    for (const word of row.words) {
      const { before, after, letters } = tags(word, index++);
      add(word.from, before);
      for (const [at, tag] of letters ?? []) add(word.from + at, tag);
      add(word.to, after);
    }
    return `${rowText(row, laid, placed, look)}${placed.get(row.text.length) ?? ''}`;
  });
  // The style has the spacing of captions that are not shrunk.
  const shrunk = look.spacing > 0 && laid.scale < 1;
  const spaced = shrunk ? `{\\fsp${(look.spacing * laid.line).toFixed(2)}}` : '';
  return `${spaced}${rows.join('\\N')}`;
}

/** The interval in which each word counts as spoken: until the next word begins. */
function turns({ start, end, ...cue }: CaptionCue): [number, number][] {
  const words = wordsOf({ start, end, ...cue });
  return words.map((word, index) => [
    index === 0 ? start : Math.min(end, Math.max(start, word.start)),
    index === words.length - 1 ? end : Math.min(end, Math.max(start, words[index + 1]?.start ?? end)),
  ]);
}

/** When the emoji of a word appear: with the caption, or with the word if it is typed. */
function appearing(cue: CaptionCue, laid: Laid, { look }: Drawn): (word: LaidWord | undefined) => number {
  if (look.effect !== 'type') return () => cue.start;
  const times = turns(cue);
  const words = wordsIn(laid);
  return (word) => (word && times[words.indexOf(word)]?.[0]) ?? cue.start;
}

/** A word in a color of its own, with an outline that tells it from what surrounds it. */
function tagsOf(color: string | undefined, { line }: Laid, { look }: Drawn): WordTags {
  if (color === undefined) return {};
  const border = (of: string, width: number) => `\\3c${tagColor(of)}\\bord${(width * line).toFixed(2)}`;
  const readable = readableIn(color, look);
  const outline = readable ? '' : border(farFrom(color), Math.max(look.outline.width, OWN_OUTLINE));
  const before = `{\\1c${tagColor(color)}${outline}}`;
  const usual = readable ? '' : border(look.outline.color, look.outline.width);
  return { before, after: `{\\1c${tagColor(look.color)}${usual}}` };
}

/** The letters on the mark of the spoken word, in black or white if the color of the preset cannot be read there. */
function onPill(word: LaidWord, laid: Laid, drawn: Drawn): WordTags {
  const { look } = drawn;
  const color = word.color ?? look.highlight;
  const own = tagsOf(word.tint, laid, drawn);
  if (readableOn(word.tint ?? look.color, color)) return own;
  const { from, to } = markedSpan(word);
  const outline = (look.outline.width * laid.line).toFixed(2);
  const [on, off] = [
    `{\\1c${tagColor(farFrom(color))}\\bord0\\shad0}`,
    `{\\1c${tagColor(look.color)}\\bord${outline}\\shad${(look.shadow * laid.line).toFixed(2)}}`,
  ];
  const { before = '', after = '' } = own;
  return to < word.text.length
    ? {
        ...own,
        letters: new Map([
          [from, on],
          [to, `${off}${before}`],
        ]),
      }
    : { ...own, letters: new Map([[from, on]]), after: `${off}${after}` };
}

/** Offsets of the part of a word that is marked: without the punctuation around it. */
const markedSpan = ({ text }: LaidWord) => bareSpan(text, '%') ?? { from: 0, to: text.length };

/** One event per word, each with another word highlighted. */
function spokenEvents(cue: CaptionCue, phase: Phase, laid: Laid, drawn: Drawn): CaptionEvent[] {
  const { look } = drawn;
  const large = Math.round(100 * POP);
  const jump = `\\t(0,70,\\fscx${large}\\fscy${large})\\t(70,160,\\fscx100\\fscy100)`;
  const spoken = wordsOf(cue);
  // A caption that enters is moving already.
  const jumps = (index: number) =>
    look.effect === 'pop' &&
    (phase === 'whole' || (phase === 'settled' && (spoken[index]?.start ?? 0) >= cue.start));
  return turns(cue).flatMap(([start, end], current): CaptionEvent[] => {
    if (hundredths(end) <= hundredths(start)) return [];
    const text = blockText(laid, drawn, (word, index) => {
      if (index !== current) return tagsOf(colorOf(word), laid, drawn);
      if (look.effect === 'pill') return onPill(word, laid, drawn);
      const { before = '', after = '' } = tagsOf(word.color ?? look.highlight, laid, drawn);
      if (!jumps(index)) return { before, after };
      return { before: `${before}{${jump}}`, after: `${after}{\\fscx100\\fscy100}` };
    });
    return [
      {
        ...{ layer: LETTERS, start, end, margin: laid.margin },
        ...{ at: null, blur: look.softness * laid.line, moves: null, text },
      },
    ];
  });
}

const hundredths = (seconds: number) => Math.round(seconds * 100);

/** Karaoke fill (`\kf`): words fill with color as they are spoken. */
function filling(cue: CaptionCue, laid: Laid, drawn: Drawn): string {
  const times = turns(cue);
  const { look } = drawn;
  const colors = (filled: string, unfilled: string) => `{\\1c${tagColor(filled)}\\2c${tagColor(unfilled)}}`;
  const usual = colors(look.highlight, look.color);
  const text = blockText(laid, drawn, (word, index) => {
    const { color } = word;
    const unfilled = colorOf(word);
    const [from, to] = times[index] ?? [0, 0];
    const time = `{\\kf${Math.max(0, hundredths(to) - hundredths(from))}}`;
    return unfilled
      ? { before: `${colors(color ?? look.highlight, unfilled)}${time}`, after: usual }
      : { before: time };
  });
  return `${usual}${text}`;
}

/** Letters appear one by one, with their outlines (`\ko`). Words of joining scripts appear whole. */
function typing(cue: CaptionCue, laid: Laid, drawn: Drawn): string {
  const times = turns(cue);
  const starts = new Map(
    laid.rows.flatMap(({ words, set }) =>
      words.map(
        (word) => [word, set.clusters.filter(({ from }) => from >= word.from && from < word.to)] as const,
      ),
    ),
  );
  return blockText(laid, drawn, (word, index) => {
    const [from, to] = times[index] ?? [0, 0];
    const spoken = Math.max(1, Math.round(100 * Math.min(word.end - word.start, to - from)));
    const clusters = joining.test(word.text) ? [] : (starts.get(word) ?? []);
    const letters = clusters.length > 0 ? clusters.map((cluster) => cluster.from - word.from) : [0];
    const each = Math.floor(spoken / letters.length);
    const rest = Math.max(0, hundredths(to) - hundredths(from) - each * letters.length);
    const { before = '', after = '' } = tagsOf(colorOf(word), laid, drawn);
    return {
      ...{ before, after: `{\\ko${rest}}${after}` },
      letters: new Map(letters.map((at) => [at, `{\\ko${each}}`])),
    };
  });
}

/** Two blurred copies of the text, with layer and blur of each: a dark one, on which the light one is seen in bright pictures too. */
function glows(
  { line }: Laid,
  { look }: Drawn,
  plain: string,
): [text: string, layer: number, blur: number][] {
  const glow = (color: string, width: number, alpha: string) => {
    const size = (line * width).toFixed(1);
    return `{\\1a&HFF&\\3c${tagColor(color)}\\3a&H${alpha}&\\bord${size}\\shad0}${plain}`;
  };
  return [
    [glow('#000000', 0.16, '50'), 0, line * 0.16],
    [glow(look.highlight, 0.1, '18'), 1, line * 0.1],
  ];
}

/** The mark behind the spoken word. */
function pills(cue: CaptionCue, laid: Laid, drawn: Drawn): CaptionEvent[] {
  const places = laid.rows.flatMap((row) => row.words.map((word) => ({ row, word })));
  return turns(cue).flatMap(([start, end], spoken): CaptionEvent[] => {
    const place = places[spoken];
    if (!place || hundredths(end) <= hundredths(start)) return [];
    return [{ ...pill(place.row, place.word, laid, drawn), start, end }];
  });
}

function pill(row: Row, word: LaidWord, laid: Laid, { look }: Drawn) {
  const { line } = laid;
  const span = markedSpan(word);
  const [left, right] = extentOf(row, word.from + span.from, word.from + span.to, line);
  const { y, height } = row.box;
  const box = {
    ...{ x: left - 0.16 * line, y: y + 0.02 * line },
    ...{ width: right - left + 0.32 * line, height: height - 0.02 * line },
  };
  return drawingAt(box, 1, laid, shape(box, 0.24 * line, assColor(word.color ?? look.highlight)));
}

function boxAround({ start, end }: CaptionCue, laid: Laid, { look }: Drawn): CaptionEvent {
  const { rows, line } = laid;
  const boxes = rows.map(({ box }) => box);
  const [x, y] = [least(boxes.map((box) => box.x)), boxes[0]?.y ?? 0];
  const around = {
    x: x - 0.34 * line,
    y: y - BOX_EDGE * line,
    width: greatest(boxes.map(({ width }) => width)) + 0.68 * line,
    height: greatest(boxes.map((box) => box.y + box.height)) - y + 2 * BOX_EDGE * line,
  };
  const { color, opacity } = look.background ?? { color: '#000000', opacity: 0 };
  const text = shape(around, 0.16 * line, assColor(color, opacity));
  return { ...drawingAt(around, 0, laid, text), start, end };
}
