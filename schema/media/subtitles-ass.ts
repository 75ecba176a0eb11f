import { type CueTime, SPEAKER_CHARACTERS, singleSpaced } from './cue-markup.ts';
import { type Cue, inTimeOrder, linesOf, timesWithin } from './subtitles.ts';

const time = /^(\d{1,6}):(\d{2}):(\d{2})[.:](\d{1,3})$/;

function secondsOf(text: string): number | null {
  const [, hours, minutes, seconds, fraction] = time.exec(text.trim()) ?? [];
  if (hours === undefined) return null;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`);
}

/** Column indexes of an event; the last column may contain commas. */
interface Columns {
  start: number;
  end: number;
  text: number;
  /** Of the speaker. */
  name: number;
  last: number;
}

const columnsOf = (names: readonly string[]): Columns => ({
  start: names.indexOf('start'),
  end: names.indexOf('end'),
  text: names.indexOf('text'),
  name: names.indexOf('name') === -1 ? names.indexOf('actor') : names.indexOf('name'),
  last: names.length - 1,
});

const usual = columnsOf('layer,start,end,style,name,marginl,marginr,marginv,effect,text'.split(','));

/**
 * Cues of an ASS or SSA file in time order, without override tags and drawings. http://www.tcax.org/docs/ass-specs.htm
 * @returns null if there is no [Events] section.
 */
export function parseAss(source: string): Cue[] | null {
  const lines = linesOf(source);
  const events = lines.findIndex((line) => line.trim().toLowerCase() === '[events]');
  if (events === -1) return null;
  let columns = usual;
  const cues: Cue[] = [];
  for (const line of lines.slice(events + 1)) {
    const trimmed = line.trim();
    if (trimmed.startsWith('[') && trimmed.endsWith(']')) break;
    const [, kind = '', rest = ''] = /^(format|dialogue)\s*:(.*)$/i.exec(trimmed) ?? [];
    if (kind.toLowerCase() === 'format')
      columns = columnsOf(rest.split(',').map((name) => name.trim().toLowerCase()));
    if (kind.toLowerCase() !== 'dialogue') continue;
    const values = rest.split(',');
    const value = (column: number) =>
      column === columns.last ? values.slice(column).join(',') : (values[column] ?? '');
    const [start, end] = [secondsOf(value(columns.start)), secondsOf(value(columns.end))];
    if (start === null || end === null || end < start) continue;
    const { text, times } = readText(value(columns.text), start);
    const said = timesWithin(times, [start, end]);
    const speaker = value(columns.name).trim().slice(0, SPEAKER_CHARACTERS);
    const marks = speaker === '' ? {} : { marks: [{ from: 0, to: text.length, speaker }] };
    if (text !== '') cues.push({ start, end, text, ...marks, ...(said.length > 0 ? { times: said } : {}) });
  }
  return inTimeOrder(cues);
}

/** Karaoke: the hundredths of a second for which the text behind it is sung. */
const sung = /\\(?:K|k[fo]?)(\d{1,6})/g;

/** What stands for characters in the text of an event. */
const escapes: Record<string, string> = { N: '\n', n: ' ', h: '\u00a0', '{': '{', '}': '}' };

/**
 * The text of an event up to each of its override blocks, without drawings between `\p1` and `\p0`, and these blocks; the last part has none.
 * As libass reads it, `\{` and `\}` are braces, but not within a block or a drawing, and a block that is not closed is text.
 */
export function assParts(source: string): { text: string; block: string }[] {
  const parts: { text: string; block: string }[] = [];
  let [at, drawing] = [0, false];
  const textTo = (end: number) =>
    drawing ? '' : source.slice(at, end).replace(/\\([Nnh{}])/g, (_, name: string) => escapes[name] ?? '');
  for (let open = source.indexOf('{'); open !== -1; open = source.indexOf('{', Math.max(at, open + 1))) {
    if (!drawing && open > at && source[open - 1] === '\\') continue;
    const close = source.indexOf('}', open);
    if (close === -1) break;
    const block = source.slice(open, close);
    parts.push({ text: textTo(open), block });
    for (const [, scale] of block.matchAll(/\\p(\d)/g)) drawing = scale !== '0';
    at = close + 1;
  }
  return [...parts, { text: textTo(source.length), block: '' }];
}

/** The text on one line, and when its parts are sung. */
function readText(source: string, start: number): { text: string; times: CueTime[] } {
  const shown: string[] = [];
  const times: CueTime[] = [];
  let [length, spaced, time] = [0, true, start];
  for (const { text, block } of assParts(source)) {
    const clean = singleSpaced(text);
    const part = spaced ? clean.trimStart() : clean;
    if (part !== '') {
      shown.push(part);
      length += part.length;
      spaced = /\s$/.test(part);
    }
    for (const [, hundredths] of block.matchAll(sung)) {
      times.push({ at: length, seconds: time });
      time += Number(hundredths) / 100;
    }
  }
  return { text: shown.join('').trim(), times };
}
