import { withoutSpans } from './strip-delimited.ts';

/** A caption with its times in seconds. */
export interface Cue {
  start: number;
  end: number;
  text: string;
}

/** Timing line of a cue. */
export const timing =
  /^\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})\s*-->\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})(?:\s.*)?$/;

export const secondsOf = ([hours = '0', minutes = '0', seconds = '0', fraction = '0']: (
  | string
  | undefined
)[]) => Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`);

/**
 * Cues of SubRip (https://en.wikipedia.org/wiki/SubRip) or WebVTT (https://www.w3.org/TR/webvtt1/) in time order, without tags.
 * A blank line or the next timing line ends a cue.
 * @returns null if the text is neither.
 */
export function parseSubtitles(source: string): Cue[] | null {
  const cues: Cue[] = [];
  let timed = false;
  let times: [start: number, end: number] | null = null;
  let body: string[] = [];
  const finish = () => {
    const text = times ? plain(body.join(' ')) : '';
    if (times && text !== '' && times[1] > times[0]) cues.push({ start: times[0], end: times[1], text });
    [times, body] = [null, []];
  };
  for (const line of linesOf(source)) {
    const found = timing.exec(line);
    if (found) {
      // The number of the next cue, if there is no blank line before it.
      if (body.length > 1 && /^\s*\d{1,9}\s*$/.test(body.at(-1) ?? '')) body.pop();
      finish();
      times = [secondsOf(found.slice(1, 5)), secondsOf(found.slice(5, 9))];
      timed = true;
    } else if (line.trim() === '') finish();
    else if (times) body.push(line);
  }
  finish();
  return timed ? cues.sort((a, b) => a.start - b.start) : null;
}

/** Lines of a text without its byte order mark. */
export const linesOf = (source: string) => source.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '' };

function plain(text: string): string {
  return withoutSpans(text, [
    ['<', '>'],
    ['{\\', '}'],
  ])
    .replace(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_, name) => entities[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim();
}

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

export function vttText(cues: readonly Cue[]): string {
  const blocks = cues.map(
    ({ start, end, text }) => `${timeText(start, '.')} --> ${timeText(end, '.')}\n${escaped(text)}\n`,
  );
  return ['WEBVTT\n', ...blocks].join('\n');
}
