import { type CueMark, type CueTime, markedText, secondsOf } from './cue-markup.ts';

/** A caption with its times in seconds. */
export interface Cue {
  start: number;
  end: number;
  text: string;
  /** Who says parts of it, and how they are drawn; absent if its tags say nothing of that. */
  marks?: readonly CueMark[];
  /** When its parts are said, in order and within its times; absent if it does not say. */
  times?: readonly CueTime[];
  /** Whether it stated no duration, and has the one that `inTimeOrder` gave it. */
  instant?: true;
}

/** Timing line of a cue. */
export const timing =
  /^\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})\s*-->\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})(?:\s.*)?$/;

const bare = (line: string | undefined) => (line === undefined ? '' : markedText(line).text);

/** Seconds of a cue that only repeats the line before it. */
const BRIEF = 0.05;
const timedLine = /<(?:\d{1,3}:)?\d{1,2}:\d{2}\.\d{1,3}>/;

/**
 * YouTube shows each line twice: again for an instant, and then above the next line, which has times within. @param before The line
 * before; null if there is none.
 */
function withoutRepeated(
  body: readonly string[],
  [start, end]: [start: number, end: number],
  before: string | null,
): readonly string[] {
  const [first, ...rest] = body;
  if (before === null || bare(first) !== before) return body;
  if (rest.length === 0) return end - start < BRIEF ? [] : body;
  return rest.some((line) => timedLine.test(line)) ? rest : body;
}

/** Number of a cue. */
const number = /^\s*\d{1,9}\s*$/;

/** Times in order, none outside of their cue. */
export function timesWithin(
  times: readonly CueTime[],
  [start, end]: [start: number, end: number],
): CueTime[] {
  let last = start;
  return times.filter(({ seconds }) => {
    if (seconds < last || seconds > end) return false;
    last = seconds;
    return true;
  });
}

/** Seconds of a cue that ends when it begins, as speech recognition writes some: until the next one that begins later, within these limits. */
const [SHORTEST, LONGEST] = [0.04, 1];

/** Sorts cues, and gives those without a duration one. */
export function inTimeOrder(cues: readonly Cue[]): Cue[] {
  const sorted = cues.toSorted((a, b) => a.start - b.start);
  const starts = [...new Set(sorted.map(({ start }) => start))];
  const later = new Map(starts.map((start, index) => [start, starts[index + 1]]));
  return sorted.map((cue) => {
    if (cue.end > cue.start) return cue;
    const room = (later.get(cue.start) ?? Number.POSITIVE_INFINITY) - cue.start;
    return { ...cue, end: cue.start + Math.min(LONGEST, Math.max(SHORTEST, room)), instant: true };
  });
}

/**
 * Cues of SubRip (https://en.wikipedia.org/wiki/SubRip) or WebVTT (https://www.w3.org/TR/webvtt1/) in time order. The next timing line
 * ends a cue, and in WebVTT a blank line after its text.
 * @returns null if the text is neither.
 */
export function parseSubtitles(source: string): Cue[] | null {
  const cues: Cue[] = [];
  let timed = false;
  let times: [start: number, end: number] | null = null;
  let body: string[] = [];
  /** The last line of the cue before; null for the first cue. */
  let before: string | null = null;
  /** Lines of the body before its last blank line; null if it has none. */
  let above: number | null = null;
  const vtt = /^\uFEFF?WEBVTT(?:\s|$)/.test(source);
  /** The last line before the first cue, and whether it is the number of that cue: then all cues have one. */
  let heading = '';
  let numbered = false;
  const finish = (beforeTimes: boolean) => {
    const apart = body.length === (above ?? body.length) + 1;
    // The number of the next cue.
    const isNumber = beforeTimes ? apart || (numbered && body.length > 1) : apart && numbered;
    if (isNumber && number.test(body.at(-1) ?? '')) body.pop();
    if (times && times[1] >= times[0]) {
      const own = vtt ? withoutRepeated(body, times, before) : body;
      const { text, marks, times: within } = markedText(own.join(' '));
      const said = timesWithin(within, times);
      before = body.length > 0 ? bare(body.at(-1)) : before;
      if (text !== '')
        cues.push({
          ...{ start: times[0], end: times[1], text },
          ...(marks.length > 0 ? { marks } : {}),
          ...(said.length > 0 ? { times: said } : {}),
        });
    }
    [times, body, above] = [null, [], null];
  };
  for (const line of linesOf(source)) {
    const found = timing.exec(line);
    if (found) {
      if (!timed) numbered = number.test(heading);
      finish(true);
      times = [secondsOf(found.slice(1, 5)), secondsOf(found.slice(5, 9))];
      timed = true;
    } else if (line.trim() !== '') {
      if (times) body.push(line);
      else heading = line;
    } else if (!vtt) above = body.length;
    else if (line === '' || body.length > 0) finish(false);
  }
  finish(false);
  return timed ? inTimeOrder(cues) : null;
}

/** Lines of a text without its byte order mark. */
export const linesOf = (source: string) => source.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);

const digits = (value: number, length: number) => String(value).padStart(length, '0');

function timeText(seconds: number, point: ',' | '.'): string {
  const ms = Math.round(seconds * 1000);
  const [hours, minutes] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60];
  const rest = `${digits(Math.floor(ms / 1000) % 60, 2)}${point}${digits(ms % 1000, 3)}`;
  return `${digits(hours, 2)}:${digits(minutes, 2)}:${rest}`;
}

/** As the text of a cue of WebVTT, in which tags, entities and `-->` are parsed. */
export const vttEscaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export function srtText(cues: readonly Cue[]): string {
  return cues
    .map(({ start, end, text }, index) => {
      const body = text.replaceAll('-->', '→');
      return `${index + 1}\n${timeText(start, ',')} --> ${timeText(end, ',')}\n${body}\n`;
    })
    .join('\n');
}

/** With the speakers of its parts. */
export function vttText(cues: readonly Cue[]): string {
  const blocks = cues.map(
    (cue) => `${timeText(cue.start, '.')} --> ${timeText(cue.end, '.')}\n${voiced(cue)}\n`,
  );
  return ['WEBVTT\n', ...blocks].join('\n');
}

function voiced({ text, marks = [] }: Cue): string {
  let at = 0;
  const parts = marks.map(({ from, to, speaker = '' }) => {
    const before = text.slice(at, from);
    at = to;
    return `${vttEscaped(before)}<v ${vttEscaped(speaker)}>${vttEscaped(text.slice(from, to))}</v>`;
  });
  return `${parts.join('')}${vttEscaped(text.slice(at))}`;
}
