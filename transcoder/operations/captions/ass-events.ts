import { greatest, least } from '../../model/min-max.ts';
import { bareSpan } from '../../model/segment-words.ts';
import { assColor, tagColor } from './ass-color.ts';
import { type Box, shape } from './ass-drawing.ts';
import { isMeasured, widthOf } from './font-metrics.ts';
import { isRightToLeft } from './fonts.ts';
import type { Look } from './presets.ts';
import type { CaptionPlace } from './safe-area.ts';
import { type CaptionCue, wordsOf } from './segmentation.ts';
import { type CaptionWord, textOf } from './words.ts';

export interface Drawn {
  look: Look;
  place: CaptionPlace;
  /** In pixels. */
  line: number;
}

export interface CaptionEvent {
  /** Higher layers are drawn on top. */
  layer: number;
  start: number;
  end: number;
  style: 'Caption' | 'Boxed' | 'Marked';
  text: string;
}

/**
 * `{` begins an override block and `\` a tag. U+2060, an invisible joiner, keeps the backslash from being parsed as a
 * tag.
 */
export function escaped(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('\\', '\\\u2060')
    .replaceAll('{', '\\{')
    .replaceAll('}', '\\}');
}

interface Laid {
  /** With the letter case of the preset applied. */
  rows: CaptionWord[][];
  words: CaptionWord[];
  /** Escaped for ASS. */
  escaped: string[];
  /** Whether text widths are known, and thus the position of each word. */
  measured: boolean;
  rightToLeft: boolean;
  /** Factor that shrinks the text until the widest line fits. */
  scale: number;
}

export function eventsOf(cue: CaptionCue, drawn: Drawn): CaptionEvent[] {
  const laid = laidOut(cue, drawn);
  const { look } = drawn;
  const { start, end } = cue;
  const style = look.background && !laid.measured ? 'Boxed' : 'Caption';
  const whole = (text: string, layer = 2): CaptionEvent => ({
    layer,
    start,
    end,
    style,
    text: sized(text, laid, drawn),
  });
  const plain = rowsText(laid, (_, index) => laid.escaped[index] ?? '');
  const box = look.background && laid.measured ? [{ ...boxAround(cue, laid, drawn), layer: 0 }] : [];
  const { effect } = look;
  if (effect === 'color' || effect === 'pop' || (effect === 'fill' && laid.rightToLeft)) {
    return [...box, ...spokenEvents(cue, laid, drawn, style)];
  }
  if (effect === 'pill') return [...box, ...marks(cue, laid, drawn), whole(plain)];
  if (effect === 'fill') return [...box, whole(filling(cue, laid, drawn))];
  if (effect === 'type') return [...box, whole(typing(cue, laid))];
  if (effect === 'glow') {
    const [far, near] = [drawn.line * 0.13, drawn.line * 0.06].map((size) => size.toFixed(1));
    const glow = (size: string | undefined, alpha: string) =>
      `{\\1a&HFF&\\3c${tagColor(look.highlight)}\\3a&H${alpha}&\\bord${size}\\blur${size}\\shad0}${plain}`;
    return [...box, whole(glow(far, '70'), 0), whole(glow(near, '30'), 1), whole(plain)];
  }
  return [...box, whole(plain)];
}

function laidOut({ lines }: CaptionCue, { look, place, line }: Drawn): Laid {
  const cased = (text: string) =>
    look.letterCase === 'upper'
      ? text.toLocaleUpperCase()
      : look.letterCase === 'lower'
        ? text.toLocaleLowerCase()
        : text;
  const rows = lines.map((row) => row.map((word) => ({ ...word, text: cased(word.text) })));
  const texts = rows.map(textOf);
  const widest = greatest(texts.map((text) => widthOf(text, look.font, look.spacing))) * line;
  const room = place.picture.width - place.left - place.right - (look.background ? 0.5 * line : 0);
  return {
    ...{ rows, words: rows.flat(), escaped: rows.flat().map(({ text }) => escaped(text)) },
    ...{ measured: texts.every(isMeasured) },
    rightToLeft: texts.some(isRightToLeft),
    scale: Math.min(1, room / widest),
  };
}

function sized(words: string, { scale }: Laid, { line, look }: Drawn): string {
  const text = look.softness > 0 ? `{\\blur${(look.softness * line).toFixed(1)}}${words}` : words;
  return scale < 1 ? `{\\fs${(line * scale).toFixed(1)}}${text}` : text;
}

function rowsText({ rows }: Laid, textOfWord: (word: CaptionWord, index: number) => string): string {
  let index = 0;
  return rows
    .map((row) =>
      row.map((word, at) => `${at === 0 || word.glued ? '' : ' '}${textOfWord(word, index++)}`).join(''),
    )
    .join('\\N');
}

/** The interval in which each word counts as spoken: until the next word begins. */
function turns({ start, end, ...cue }: CaptionCue): [number, number][] {
  const words = wordsOf({ start, end, ...cue });
  return words.map((word, index) => [
    index === 0 ? start : Math.min(end, Math.max(start, word.start)),
    index === words.length - 1 ? end : Math.min(end, Math.max(start, words[index + 1]?.start ?? end)),
  ]);
}

/** One event per word, each with another word highlighted. */
function spokenEvents(
  cue: CaptionCue,
  laid: Laid,
  drawn: Drawn,
  style: CaptionEvent['style'],
): CaptionEvent[] {
  const { look } = drawn;
  const jump = '\\t(0,70,\\fscx113\\fscy113)\\t(70,160,\\fscx100\\fscy100)';
  const [on, off] = [
    `{\\1c${tagColor(look.highlight)}${look.effect === 'pop' ? jump : ''}}`,
    `{\\1c${tagColor(look.color)}${look.effect === 'pop' ? '\\fscx100\\fscy100' : ''}}`,
  ];
  return turns(cue).flatMap(([start, end], spoken) => {
    if (hundredths(end) <= hundredths(start)) return [];
    const text = rowsText(laid, (_, index) =>
      index === spoken ? `${on}${laid.escaped[index]}${off}` : (laid.escaped[index] ?? ''),
    );
    return [{ layer: 2, start, end, style, text: sized(text, laid, drawn) }];
  });
}

const hundredths = (seconds: number) => Math.round(seconds * 100);

/** Karaoke fill (`\kf`): words fill with colour as they are spoken. */
function filling(cue: CaptionCue, laid: Laid, { look }: Drawn): string {
  const times = turns(cue);
  const colors = `{\\1c${tagColor(look.highlight)}\\2c${tagColor(look.color)}}`;
  return `${colors}${rowsText(laid, (_, index) => {
    const [from, to] = times[index] ?? [0, 0];
    return `{\\kf${Math.max(0, hundredths(to) - hundredths(from))}}${laid.escaped[index]}`;
  })}`;
}

/** Letters appear one by one. Words of joining scripts appear whole. */
function typing(cue: CaptionCue, laid: Laid): string {
  const times = turns(cue);
  return rowsText(laid, (word, index) => {
    const [from, to] = times[index] ?? [0, 0];
    const spoken = Math.max(1, Math.round(100 * Math.min(word.end - word.start, to - from)));
    const letters = laid.measured ? [...word.text] : [word.text];
    const each = Math.floor(spoken / letters.length);
    const rest = Math.max(0, hundredths(to) - hundredths(from) - each * letters.length);
    return `${letters.map((letter) => `{\\k${each}}${escaped(letter)}`).join('')}{\\k${rest}}`;
  });
}

/** The marker behind the spoken word. */
function marks(cue: CaptionCue, laid: Laid, drawn: Drawn): CaptionEvent[] {
  return turns(cue).flatMap(([start, end], spoken): CaptionEvent[] => {
    if (hundredths(end) <= hundredths(start)) return [];
    if (laid.measured) return [{ layer: 1, start, end, style: 'Caption', text: pill(spoken, laid, drawn) }];
    const text = rowsText(laid, (_, index) => {
      const word = laid.escaped[index] ?? '';
      return index === spoken ? `{\\alpha&H00&\\1a&HFF&}${word}{\\alpha&HFF&}` : word;
    });
    return [{ layer: 1, start, end, style: 'Marked', text: sized(`{\\alpha&HFF&}${text}`, laid, drawn) }];
  });
}

function pill(spoken: number, laid: Laid, drawn: Drawn): string {
  const { look } = drawn;
  let before = 0;
  const row = laid.rows.findIndex(({ length }) => {
    before += length;
    return spoken < before;
  });
  const words = laid.rows[row] ?? [];
  const at = spoken - (before - words.length);
  const line = drawn.line * laid.scale;
  const lead = textOf(words.slice(0, at + 1)).length - (words[at]?.text.length ?? 0);
  const width = (text: string) => widthOf(text, look.font, look.spacing) * line;
  const whole = rowBox(row, laid, drawn);
  const word = bareWord(words[at]?.text ?? '');
  const box = {
    x: whole.x + width(textOf(words).slice(0, lead + word.before)) - 0.16 * line,
    y: whole.y + 0.02 * line,
    width: width(word.text) + 0.32 * line,
    height: 0.98 * line,
  };
  return shape(box, 0.24 * line, assColor(look.highlight));
}

/** A word without surrounding punctuation, and the number of characters cut from its start. */
function bareWord(text: string): { text: string; before: number } {
  const span = bareSpan(text, '%');
  return span ? { text: text.slice(span.from, span.to), before: span.from } : { text, before: 0 };
}

/** Position of a line in the picture. */
function rowBox(row: number, { rows, scale }: Laid, { look, place, line }: Drawn): Box {
  const height = line * scale;
  const width = widthOf(textOf(rows[row] ?? []), look.font, look.spacing) * height;
  const { picture, left, right, top, bottom } = place;
  const room = picture.width - left - right;
  const x = { left, center: left + (room - width) / 2, right: left + room - width }[place.horizontal];
  const block = rows.length * height;
  const y = { top, middle: (picture.height - block) / 2, bottom: picture.height - bottom - block }[
    place.vertical
  ];
  return { x, y: y + row * height, width, height };
}

function boxAround({ start, end }: CaptionCue, laid: Laid, drawn: Drawn): Omit<CaptionEvent, 'layer'> {
  const { background } = drawn.look;
  const boxes = laid.rows.map((_, row) => rowBox(row, laid, drawn));
  const line = drawn.line * laid.scale;
  const [x, y] = [least(boxes.map((box) => box.x)), boxes[0]?.y ?? 0];
  const around = {
    x: x - 0.34 * line,
    y: y - 0.14 * line,
    width: greatest(boxes.map(({ width }) => width)) + 0.68 * line,
    height: boxes.length * line + 0.28 * line,
  };
  const color = assColor(background?.color ?? '#000000', background?.opacity);
  return { start, end, style: 'Caption', text: shape(around, 0.16 * line, color) };
}
