import { type CueMark, markedText } from './cue-markup.ts';

/** A caption with its times in seconds. */
export interface Cue {
  start: number;
  end: number;
  text: string;
  /** Who says parts of it, and how they are drawn; absent if its tags say nothing of that. */
  marks?: readonly CueMark[];
}

/** Timing line of a cue. */
export const timing =
  /^\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})\s*-->\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})(?:\s.*)?$/;

export const secondsOf = ([hours = '0', minutes = '0', seconds = '0', fraction = '0']: (
  | string
  | undefined
)[]) => Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`);

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
  /** Lines of the body before its last blank line; null if it has none. */
  let above: number | null = null;
  const vtt = /^\uFEFF?WEBVTT(?:\s|$)/.test(source);
  const finish = (beforeTimes: boolean) => {
    // The number of the next cue.
    const numbered = body.length === (above ?? body.length) + 1 || (beforeTimes && body.length > 1);
    if (numbered && /^\s*\d{1,9}\s*$/.test(body.at(-1) ?? '')) body.pop();
    const { text, marks } = markedText(times ? body.join(' ') : '');
    if (times && text !== '' && times[1] > times[0])
      cues.push({ start: times[0], end: times[1], text, ...(marks.length > 0 ? { marks } : {}) });
    [times, body, above] = [null, [], null];
  };
  for (const line of linesOf(source)) {
    const found = timing.exec(line);
    if (found) {
      finish(true);
      times = [secondsOf(found.slice(1, 5)), secondsOf(found.slice(5, 9))];
      timed = true;
    } else if (line.trim() !== '') {
      if (times) body.push(line);
    } else if (vtt && (line === '' || body.length > 0)) finish(false);
    else above = body.length;
  }
  finish(false);
  return timed ? cues.sort((a, b) => a.start - b.start) : null;
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

/** WebVTT parses tags, entities and `-->` inside a cue. */
const escaped = (text: string) =>
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
    return `${escaped(before)}<v ${escaped(speaker)}>${escaped(text.slice(from, to))}</v>`;
  });
  return `${parts.join('')}${escaped(text.slice(at))}`;
}
