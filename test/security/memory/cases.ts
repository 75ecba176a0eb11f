import { type Case, serve } from '../case.ts';
import { matroskaRows } from './matroska.ts';
import { mp4Rows } from './mp4.ts';
import { pictureRows } from './pictures.ts';
import { type Asked, MB } from './row.ts';
import { soundRows } from './sound.ts';

const rows = { ...pictureRows, ...soundRows, ...mp4Rows, ...matroskaRows };

function requestOf(asked: Asked, url: string): ReturnType<NonNullable<Case['request']>> {
  switch (asked) {
    case 'probe':
      return { operation: 'probe', input: { url } };
    case 'frame':
      return { operation: 'frame', input: { video_url: url, timestamps: [0] } };
    case 'cut':
      return { operation: 'cut', input: { video_url: url, start: 0.1, duration: 0.3 } };
    case 'transcode':
      return { operation: 'transcode', input: { video_url: url, height: 32 } };
    case 'animate':
      return { operation: 'photo_animate', input: { photo_url: url, duration: 1 } };
    case 'merge':
      return { operation: 'merge_urls', input: { video_urls: Array.from({ length: 10 }, () => url) } };
    case 'mp3':
      return { operation: 'visualize', input: { audio_url: url } };
  }
}

/** ffmpeg holds 310 to 365 MB to animate any photo, in addition to 320 MB of idle processes. In MB more than for other requests. */
const ENCODER = 160;

/** The file of the row that was served last: its cases follow one another, and some files are too large to keep all. */
let last: { name: string; file: Buffer } | null = null;

function fileOf(name: string, make: () => Buffer): Buffer {
  if (last?.name !== name) {
    last = null;
    last = { name, file: make() };
  }
  return last.file;
}

/** Files that are small, and ask for memory in every way known to us. */
export const memoryCases: MemoryCase[] = Object.entries(rows).flatMap(([name, [make, asked, ends, mostMb]]) =>
  asked.map((operation) => ({
    name: `${name}, by /${operation}`,
    answer: () => serve(fileOf(name, make)),
    request: (url: string) => requestOf(operation, url),
    ...{ ends, within: 300, mostBytes: (mostMb + (operation === 'animate' ? ENCODER : 0)) * MB },
  })),
);

/** A hostile file that asks for memory, and what it may take of it. */
export interface MemoryCase extends Case {
  /** Most that all processes of the task may hold at once, in bytes. */
  mostBytes: number;
}
