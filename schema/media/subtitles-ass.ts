import { SPEAKER_CHARACTERS } from './cue-markup.ts';
import { type Cue, linesOf } from './subtitles.ts';

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
    const text = plain(value(columns.text));
    const speaker = value(columns.name).trim().slice(0, SPEAKER_CHARACTERS);
    const marks = speaker === '' ? {} : { marks: [{ from: 0, to: text.length, speaker }] };
    if (start !== null && end !== null && end > start && text !== '')
      cues.push({ start, end, text, ...marks });
  }
  return cues.sort((a, b) => a.start - b.start);
}

/** Removes override blocks, and drawings between `\p1` and `\p0`. */
function plain(text: string): string {
  const kept: string[] = [];
  let drawing = false;
  let at = 0;
  for (let open = text.indexOf('{'); open !== -1; open = text.indexOf('{', at)) {
    const close = text.indexOf('}', open);
    if (close === -1) break;
    if (!drawing) kept.push(text.slice(at, open));
    for (const [, scale] of text.slice(open, close).matchAll(/\\p(\d)/g)) drawing = scale !== '0';
    at = close + 1;
  }
  if (!drawing) kept.push(text.slice(at));
  return kept
    .join('')
    .replace(/\\[Nnh]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
