import { withoutReferences } from './character-references.ts';
import { withoutSpans } from './strip-delimited.ts';

/** Who says a word, and how it is drawn. */
export interface WordStyle {
  speaker?: string | undefined;
  /** `#rrggbb`. */
  color?: string | undefined;
  bold?: boolean | undefined;
  italic?: boolean | undefined;
}

/** A part of a text, by its offsets, and its style. */
export interface CueMark extends WordStyle {
  from: number;
  to: number;
}

/** From this offset of a text on, it is said at this second or later. */
export interface CueTime {
  at: number;
  seconds: number;
}

/** Longest name of a speaker. */
export const SPEAKER_CHARACTERS = 100;

/** The default classes of WebVTT and a few that people expect. https://www.w3.org/TR/webvtt1/#default-text-color */
const colors: Record<string, string> = {
  ...{ white: '#FFFFFF', lime: '#00FF00', cyan: '#00FFFF', red: '#FF0000', yellow: '#FFFF00' },
  ...{ magenta: '#FF00FF', blue: '#0000FF', black: '#000000', green: '#008000', orange: '#FFA500' },
};

function colorOf(name: string): string | undefined {
  const [, hex] = /^(?:#|color)([0-9a-f]{6})$/i.exec(name) ?? [];
  return hex === undefined ? colors[name.toLowerCase()] : `#${hex}`;
}

/** White space as single spaces. A no-break space that stands alone, as in `10 000` and before `?` in French, stays one. */
export const singleSpaced = (text: string) =>
  text.replace(/\s+/g, (space) => (space === '\u00a0' || space === '\u202f' ? space : ' '));

const tidied = (text: string) => withoutReferences(text).replace(/\s+/g, ' ').trim();

/** What a tag says of the text after it; null if that is nothing. */
function styleOf(name: string, classes: string, rest: string): WordStyle | null {
  switch (name) {
    case 'v': {
      const speaker = tidied(rest).slice(0, SPEAKER_CHARACTERS);
      return speaker === '' ? null : { speaker };
    }
    case 'c': {
      const color = classes.split('.').flatMap((one) => colorOf(one) ?? [])[0];
      return color === undefined ? null : { color };
    }
    case 'font': {
      const color = colorOf(/color\s*=\s*["']?(#[0-9a-f]{6}|[a-z]+)/i.exec(rest)?.[1] ?? '');
      return color === undefined ? null : { color };
    }
    case 'b':
      return { bold: true };
    case 'i':
      return { italic: true };
    default:
      return null;
  }
}

/** Tags inside tags; deeper ones are ignored. */
const DEEPEST = 16;

/** Styles of the tags that are open. */
class OpenTags {
  readonly #open: { name: string; style: WordStyle }[] = [];

  /** @param tag What is between `<` and `>`. */
  read(tag: string): void {
    const [, slash, written = '', classes = '', rest = ''] =
      /^(\/?)([a-z]+)((?:\.[^.\s]+)*)(?:\s([\s\S]*))?$/i.exec(tag) ?? [];
    const name = written.toLowerCase();
    // A voice lasts until the next one.
    if (slash === '/' || name === 'v') {
      const at = this.#open.findLastIndex((one) => one.name === name);
      if (at !== -1) this.#open.splice(at, 1);
    }
    if (slash === '/' || this.#open.length >= DEEPEST) return;
    const style = styleOf(name, classes, rest);
    if (style) this.#open.push({ name, style });
  }

  get style(): WordStyle | null {
    if (this.#open.length === 0) return null;
    return Object.assign({}, ...this.#open.map(({ style }) => style));
  }
}

/** What follows `<` in a tag or a time of WebVTT; other signs are of the text, as in `1 < 2` and `<3`. */
const beginsTag = /^(?:[/!.a-z]|[\d:.]{5,15}>)/i;
const LONGEST_TIME = 16;
/** Of the readings that stand over a text, and of their brackets. */
const reading = /^r[tp](?:[.\s]|$)/i;
const readingEnds = /^\/?(?:ruby|r[tp])(?:[.\s]|$)/i;
/** What people write in SubRip to begin another line. */
const lineBreak = /^\/?br\s*\/?$/i;

/** Any character but spaces and invisible marks. */
const visible = /[^\s\p{Cf}]/u;

/** A time of WebVTT within a text. https://www.w3.org/TR/webvtt1/#webvtt-cue-timestamp */
const timeTag = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{2})\.(\d{1,3})$/;

export const secondsOf = ([hours = '0', minutes = '0', seconds = '0', fraction = '0']: (
  | string
  | undefined
)[]) => Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`);

/**
 * The text of a cue of SubRip or WebVTT without tags, entities and the readings of ruby, and what its tags say: `<v Name>`, `<c.red>`,
 * `<b>`, `<i>`, `<font color>` and times. Linear in the text.
 */
export function markedText(source: string): { text: string; marks: CueMark[]; times: CueTime[] } {
  const marks: CueMark[] = [];
  const times: CueTime[] = [];
  const tags = new OpenTags();
  const parts: string[] = [];
  let length = 0;
  let spaced = true;
  let read = false;
  const add = (raw: string) => {
    const clean = singleSpaced(withoutReferences(withoutSpans(raw, [['{\\', '}']])));
    const part = spaced ? clean.trimStart() : clean;
    if (part === '' || read) return;
    const { style } = tags;
    if (style) marks.push({ from: length, to: length + part.length, ...style });
    parts.push(part);
    length += part.length;
    spaced = /\s$/.test(part);
  };
  let at = 0;
  for (let from = source.indexOf('<'); from !== -1; from = source.indexOf('<', Math.max(at, from + 1))) {
    if (!beginsTag.test(source.slice(from + 1, from + 1 + LONGEST_TIME))) continue;
    const end = source.indexOf('>', from + 1);
    if (end === -1) break;
    const tag = source.slice(from + 1, end);
    add(`${source.slice(at, from)}${lineBreak.test(tag) ? ' ' : ''}`);
    const time = timeTag.exec(tag);
    if (time) times.push({ at: length, seconds: secondsOf(time.slice(1)) });
    else tags.read(tag);
    if (readingEnds.test(tag)) read = reading.test(tag);
    at = end + 1;
  }
  add(source.slice(at));
  const text = parts.join('').trim();
  return { text: visible.test(text) ? text : '', marks, times };
}
