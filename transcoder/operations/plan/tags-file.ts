import type { Chapter, Tags } from '../../model/source/contents.ts';

/** Ticks per second of chapters. */
const TICKS = 1e6;

/** `=`, `;`, `#`, `\` and line breaks have a meaning in the format. */
const escaped = (text: string) => text.replace(/\r\n?/g, '\n').replace(/[=;#\\\n]/g, (one) => `\\${one}`);

/** ffmpeg takes a line break after any backslash for an escaped one, unless a zero byte, which ends a value, is between them. */
const ended = (text: string) => (text.endsWith('\\') ? `${escaped(text)}\\\0` : escaped(text));

const lines = (tags: Tags) => Object.entries(tags).map(([name, value]) => `${escaped(name)}=${ended(value)}`);

/** Tags of a file and of each of its tracks, and its chapters, as ffmpeg's demuxer `ffmetadata` reads them. */
export function tagsFile(file: Tags, tracks: readonly Tags[], chapters: readonly Chapter[]): string {
  return [
    ';FFMETADATA1',
    ...lines(file),
    ...tracks.flatMap((tags) => ['[STREAM]', ...lines(tags)]),
    ...chapters.flatMap(({ start, end, title }) => [
      ...['[CHAPTER]', `TIMEBASE=1/${TICKS}`],
      ...[`START=${Math.round(start * TICKS)}`, `END=${Math.round(end * TICKS)}`, ...lines({ title })],
    ]),
    '',
  ].join('\n');
}
