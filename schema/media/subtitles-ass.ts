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

/** The text without override blocks and drawings, and when its parts are sung. */
function readText(source: string, start: number): { text: string; times: CueTime[] } {
  const parts: string[] = [];
  const times: CueTime[] = [];
  let [length, spaced, time] = [0, true, start];
  const add = (raw: string) => {
    const clean = singleSpaced(raw.replace(/\\[Nn]/g, ' ').replace(/\\h/g, '\u00a0'));
    const part = spaced ? clean.trimStart() : clean;
    if (part === '') return;
    parts.push(part);
    length += part.length;
    spaced = /\s$/.test(part);
  };
  for (const { block, text } of shownParts(source)) {
    for (const [, hundredths] of block.matchAll(sung)) {
      times.push({ at: length, seconds: time });
      time += Number(hundredths) / 100;
    }
    add(text);
  }
  return { text: parts.join('').trim(), times };
}

/** The parts of an event's text, with the override block ahead of each. Drawings, between `\p1` and `\p0`, are empty. */
export function* shownParts(source: string): Generator<{ block: string; text: string }> {
  let [at, block, drawing] = [0, '', false];
  for (let open = source.indexOf('{'); open !== -1; open = source.indexOf('{', at)) {
    const close = source.indexOf('}', open);
    if (close === -1) break;
    yield { block, text: drawing ? '' : source.slice(at, open) };
    block = source.slice(open, close);
    for (const [, scale] of block.matchAll(/\\p(\d)/g)) drawing = scale !== '0';
    at = close + 1;
  }
  yield { block, text: drawing ? '' : source.slice(at) };
}
