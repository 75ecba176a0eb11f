import { open } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { TaskFailure } from '../failure.ts';
import { completeSource, type MediaSource } from '../media-source.ts';
import { type GetOptions, guardedGet } from './get.ts';
import { demuxerOf, demuxerOfFile, SNIFF_BYTES } from './sniff.ts';

export interface FetchOptions extends GetOptions {
  /** Where the file is written. */
  path: string;
  limitBytes: number;
  /** Called with the fraction 0–1 that has arrived, where the size is known. */
  onProgress?: ((fraction: number) => void) | undefined;
  pace?: Pace | undefined;
}

/** How slow a source may be. */
export interface Pace {
  /** Longest pause between two bytes, in milliseconds. */
  idle: number;
  /** Span over which the average counts, in milliseconds. */
  window: number;
  bytesPerSecond: number;
  /** How often it is looked at, in milliseconds. */
  every: number;
}

const securityPace: Pace = { idle: 15_000, window: 30_000, bytesPerSecond: 64 * 1024, every: 1000 };

/** Brings one source into a local file and tells how to open it. Throws TaskFailure with a `source_…` code. */
export async function fetchSource(url: string, options: FetchOptions): Promise<MediaSource> {
  const response = await guardedGet(url, options);
  try {
    await download(response, options);
    const format = await demuxerOfFile(options.path);
    if (!format) throw notMedia();
    return completeSource({ path: options.path, format });
  } finally {
    response.destroy();
  }
}

async function download(response: IncomingMessage, options: FetchOptions): Promise<void> {
  const { path, limitBytes, onProgress } = options;
  const encoding = response.headers['content-encoding'];
  if (encoding && encoding !== 'identity') {
    throw new TaskFailure('source_http_error', 'The source answered with an encoded body');
  }
  const announced = announcedBytes(response);
  if (announced !== null && announced > limitBytes) throw tooLarge(limitBytes);

  const file = await open(path, 'wx', 0o600);
  try {
    let bytes = 0;
    let head: Buffer | null = Buffer.alloc(0);
    for await (const chunk of received(response, options)) {
      bytes += chunk.length;
      if (bytes > limitBytes) throw tooLarge(limitBytes);
      if (head) {
        head = Buffer.concat([head, chunk]);
        if (head.length >= SNIFF_BYTES) {
          if (!demuxerOf(head)) throw notMedia();
          head = null;
        }
      }
      for (let written = 0; written < chunk.length; ) {
        written += (await file.write(chunk, written)).bytesWritten;
      }
      if (announced) onProgress?.(bytes / announced);
    }
    if (announced !== null && bytes < announced) throw truncated();
  } finally {
    await file.close();
  }
}

/** The body chunk by chunk; what goes wrong on the way here is the source's fault. */
async function* received(response: IncomingMessage, options: FetchOptions): AsyncGenerator<Buffer> {
  const watch = watchPace(response, options.pace ?? securityPace);
  try {
    for await (const chunk of response) {
      watch.arrived(chunk.length);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof TaskFailure) throw error;
    options.signal.throwIfAborted();
    throw truncated(error);
  } finally {
    watch.stop();
  }
  if (!response.complete) throw truncated();
}

function watchPace(response: IncomingMessage, pace: Pace) {
  let total = 0;
  let last = performance.now();
  const marks = [{ at: last, total }];
  const timer = setInterval(() => {
    const now = performance.now();
    marks.push({ at: now, total });
    while (marks[1] && now - marks[1].at >= pace.window) marks.shift();
    const [oldest] = marks;
    const span = oldest ? now - oldest.at : 0;
    const slow = oldest && span >= pace.window && (total - oldest.total) * 1000 < pace.bytesPerSecond * span;
    if (slow || now - last > pace.idle) {
      response.destroy(new TaskFailure('source_too_slow', 'The source sends too slowly'));
    }
  }, pace.every);
  return {
    arrived(bytes: number) {
      total += bytes;
      last = performance.now();
    },
    stop: () => clearInterval(timer),
  };
}

function announcedBytes(response: IncomingMessage): number | null {
  const header = response.headers['content-length'];
  return header && /^\d{1,15}$/.test(header) ? Number(header) : null;
}

function tooLarge(limitBytes: number): TaskFailure {
  return new TaskFailure('source_too_large', `The source is larger than ${limitBytes} bytes`);
}

function truncated(cause?: unknown): TaskFailure {
  return new TaskFailure('source_truncated', 'The source ended before the announced length', { cause });
}

function notMedia(): TaskFailure {
  return new TaskFailure('source_not_media', 'The source is not in a media format we read');
}
