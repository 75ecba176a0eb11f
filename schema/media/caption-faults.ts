import { secondsOf } from './cue-markup.ts';
import { linesOf, timing } from './subtitles.ts';

/** Timing lines with typical typos. */
const arrow =
  /^\s*\d{1,3}:\d{1,2}(?::\d{1,2})?(?:[.,:;]\d{1,6})?\s*(?:-{1,3} ?>|<?[-=–—]{1,2}>|-{0,3}&gt;)\s*\d{1,3}:\d{1,2}(?::\d{1,2})?(?:[.,:;]\d{1,6})?(?:\s.*)?$/;
/** Two times with fractions and no arrow between them. The fraction excludes times of day. */
const twoTimes =
  /^\s*\d{1,3}:\d{1,2}(?::\d{1,2})?[.,]\d{1,6}\s*(?:[–—→⟶,|]|-{1,3})\s*\d{1,3}:\d{1,2}(?::\d{1,2})?[.,]\d{1,6}(?:\s.*)?$/;
const loneTime = /^\s*\d{1,3}:\d{2}:\d{2}[.,]\d{1,3}(?:\s*-{1,3}>?|\s*>)?\s*$/;
const besideArrow = /^\s*\d{1,3}:\d{1,2}[\d:.,]*\s*-->|-->\s*\d{1,3}:\d{1,2}[\d:.,]*\s*$/;
const timingLike = [arrow, twoTimes, loneTime, besideArrow];
const isLikeTiming = (line: string) => timingLike.some((pattern) => pattern.test(line));
const assEvent = /^\s*dialogue\s*:/i;
/** An event has times, or as many columns as one; a line of a script that begins with "Dialogue:" has neither. */
const assColumns = /\d:\d{2}:\d{2}|^[^,]*(?:,[^,]*){8}/;
const assTime = /\d{1,6}:\d{2}:\d{2}[.:]\d{1,3}/g;

/** Document types that are not captions, by their first characters. */
const documents: readonly (readonly [RegExp, string])[] = [
  [/^<(?:!doctype\s+html|html|head|body)\b/i, 'a web page (HTML)'],
  [/^(?:<\?xml[^>]*>\s*)?<(?:tt|tt:tt)\b/i, 'TTML'],
  [/^<sami\b/i, 'SAMI'],
  [/^<\?xml|^<svg\b|^<rss\b/i, 'XML'],
  [/^\{\\rtf/, 'RTF'],
  [/^%PDF-/, 'a PDF'],
  [/^\{\d{1,9}\}\{\d{1,9}\}/, 'MicroDVD'],
  [/^\[\d{1,3}:\d{2}[.:]\d{1,3}\]/, 'LRC'],
];

/**
 * Why a text cannot be read as captions: its first invalid line, or its actual document type. Null for valid captions and
 * plain scripts.
 */
export function captionFault(source: string): string | null {
  const start = source.replace(/^\uFEFF/, '').trimStart();
  const document = documents.find(([pattern]) => pattern.test(start));
  if (document) return `The text is ${document[1]}. ${EXPECTED}`;
  const lines = linesOf(source);
  return isAss(start) ? assFault(lines) : timedFault(lines, /^WEBVTT(?:\s|$)/.test(start));
}

/** Whether a text is ASS or SSA: by its first line, or by an event with a time, since comments and styles may come first. */
export function isAss(text: string): boolean {
  if (/^\[(?:script info|v4\+? styles|events)\]/i.test(text)) return true;
  const lines = linesOf(text);
  const isEvent = (line: string) => assEvent.test(line) && assColumns.test(line);
  // Captions of another format may have such a line as their text.
  return lines.some(isEvent) && !lines.some((line) => timing.test(line));
}

const EXPECTED = 'Give SubRip, WebVTT, ASS, words as JSON or plain text';

function assFault(lines: readonly string[]): string | null {
  const at = lines.findIndex((line) => assEvent.test(line) && (line.match(assTime) ?? []).length < 2);
  return at < 0 ? null : wrong(lines, at, 'Dialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,Hello');
}

function timedFault(lines: readonly string[], vtt: boolean): string | null {
  const isTiming = (line: string) => timing.test(line);
  const anyTimed = lines.some(isTiming);
  for (const [at, line] of lines.entries()) {
    const times = timing.exec(line);
    if (times === null && isLikeTiming(line))
      return wrong(lines, at, vtt ? '00:00:01.000 --> 00:00:02.500' : '00:00:01,000 --> 00:00:02,500');
    if (times && secondsOf(times.slice(1, 5)) > secondsOf(times.slice(5, 9))) {
      return `Line ${at + 1} ends before it begins: "${quoted(line)}"`;
    }
    if (anyTimed && !vtt && lacksTiming(lines, at)) {
      return `Line ${at + 2} must be the timing of caption ${line.trim()}; it is "${quoted(lines[at + 1] ?? '')}"`;
    }
  }
  return null;
}

/** A caption number at the start of a caption that is not followed by a timing line. */
function lacksTiming(lines: readonly string[], at: number): boolean {
  const [before = '', line = '', after = ''] = [lines[at - 1], lines[at], lines[at + 1]];
  const number = /^\s*\d{1,9}\s*$/;
  const begins = before.trim() === '' && number.test(line) && after.trim() !== '' && !number.test(after);
  return begins && !timing.test(after) && !isLikeTiming(after);
}

const wrong = (lines: readonly string[], at: number, right: string) =>
  `Line ${at + 1} is not a valid timing: "${quoted(lines[at] ?? '')}". Write it like "${right}"`;

const MOST_QUOTED = 60;
const quoted = (line: string) => {
  const text = line.trim();
  return text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED)}…` : text;
};
