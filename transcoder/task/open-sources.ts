import { join } from 'node:path';
import type { GuardRules } from '../../guard/url.ts';
import { BROUGHT_FONT_FILE } from '../model/letters.ts';
import { type MediaSource, missingBytes } from '../model/source/media-source.ts';
import { TaskFailure } from '../model/task-failure.ts';
import { fontAt } from '../source/font.ts';
import { openSource, type RemoteSource } from '../source/open-source.ts';
import { type Origin, urlOrigin } from '../source/origin.ts';
import { isPicture, stripPicture } from '../source/picture/strip.ts';
import { textAt } from '../source/read-text.ts';
import type { Resolve } from '../source/resolve-host.ts';
import type { ObjectStore } from '../source/s3.ts';
import { needsStripping } from '../source/sniff.ts';
import type { Traffic } from '../source/sparse-file.ts';
import { stripGarbage } from '../source/strip-garbage.ts';
import type { Task } from './job.ts';
import { runParallel } from './run-parallel.ts';

/** Where sources may be fetched from in addition to the public internet, and how host names are resolved. */
export interface Reach extends GuardRules {
  resolve: Resolve;
}

/** Limit for caption files; hours of captions need less. */
const MOST_TEXT_BYTES = 4_000_000;

interface Opening {
  reach: Reach;
  /** Where outputs of other tasks and uploads are stored. */
  store: Pick<ObjectStore, 'origin'>;
  /** Where files are written. */
  directory: string;
  signal: AbortSignal;
  /** Time in seconds at which reading will start, if known. */
  near: number | null;
  /** Receives the fraction 0–1 that has arrived of sources that are fetched completely. */
  onFraction: (fraction: number) => void;
  /** Reserves disk space for this many more bytes. Throws `out_of_disk`. */
  expect: (bytes: number) => Promise<void>;
  /** Wraps every download of a complete source. */
  fetching: <T>(work: () => Promise<T>) => Promise<T>;
}

/** The sources of an attempt, opened together and closed together at its end. */
export class TaskSources {
  /** Total traffic so far. */
  readonly traffic: Traffic = { bytes: 0, requests: 0 };
  #opened: RemoteSource[] = [];

  /** Opens all sources. Failures, also later ones, name the source they are about. Throws TaskFailure. */
  open(task: Task, opening: Opening): Promise<MediaSource[]> {
    const { directory, signal, near, onFraction, expect, fetching } = opening;
    const media = task.sources.filter(({ kind }) => kind === undefined);
    const fractions = media.map(() => 0);
    return runParallel(
      signal,
      media.map(({ url }, index) => async (either: AbortSignal) => {
        const opened = await ofSource(
          index,
          openSource(originOf(task, url, opening), {
            path: join(directory, `source-${index}`),
            limitBytes: task.limits.source_bytes,
            traffic: this.traffic,
            near,
            signal: either,
            onProgress: (fraction) => {
              fractions[index] = fraction;
              onFraction(fractions.reduce((sum, part) => sum + part, 0) / fractions.length);
            },
          }),
        );
        this.#opened.push(opened);
        if (isPicture(opened.format)) await fetching(() => ofSource(index, strippedPicture(opened)));
        const { path, format } = opened.parts();
        if (await needsStripping(path, format)) await fetching(() => ofSource(index, withoutGarbage(opened)));
        const { bytes, indexed, parts } = opened;
        return {
          ...{ format, bytes, indexed, parts },
          whole: async () => {
            await expect(missingBytes(opened.parts()));
            return fetching(() => ofSource(index, opened.whole()));
          },
          bring: (wanted, on) => ofSource(index, opened.bring(wanted, on)),
        } satisfies MediaSource;
      }),
    );
  }

  /** The complete texts among the sources. Throws TaskFailure. */
  async texts(
    task: Task,
    opening: Pick<Opening, 'reach' | 'store' | 'directory' | 'signal'>,
  ): Promise<string[]> {
    const texts: string[] = [];
    for (const [index, { url, kind }] of task.sources.entries()) {
      if (kind !== 'text') continue;
      const path = join(opening.directory, `text-${index}`);
      const { signal } = opening;
      const options = { path, limitBytes: MOST_TEXT_BYTES, traffic: this.traffic, signal };
      texts.push(await ofSource(index, textAt(originOf(task, url, opening), options)));
    }
    return texts;
  }

  /** Fetches the font among the sources into the directory, if there is one. Throws TaskFailure. */
  async font(task: Task, opening: Pick<Opening, 'reach' | 'store' | 'directory' | 'signal'>): Promise<void> {
    const index = task.sources.findIndex(({ kind }) => kind === 'font');
    const { url } = task.sources[index] ?? {};
    if (url === undefined) return;
    const { directory, signal } = opening;
    const options = { path: join(directory, BROUGHT_FONT_FILE), traffic: this.traffic, signal };
    await ofSource(index, fontAt(originOf(task, url, opening), options));
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.map((source) => source.close()));
  }
}

/** The output of another task and an upload are read from storage, anything else from its URL. */
function originOf(task: Task, url: string, { reach, store }: Pick<Opening, 'reach' | 'store'>): Origin {
  const key = task.stored_sources[url];
  if (key !== undefined) return store.origin(key);
  return urlOrigin(url, guardOf(task, reach));
}

/** The guard of URLs that the caller of a task names. */
export function guardOf({ callback_url }: Pick<Task, 'callback_url'>, reach: Reach) {
  const ownHosts = new Set([...reach.ownHosts, new URL(callback_url).hostname]);
  return { rules: { devOrigins: reach.devOrigins, ownHosts }, resolve: reach.resolve };
}

async function strippedPicture(source: RemoteSource): Promise<void> {
  const { path, format } = await source.whole();
  await stripPicture(path, format);
}

async function withoutGarbage(source: RemoteSource): Promise<void> {
  await stripGarbage(await source.whole());
}

/** Adds to a failure that the font of the caller causes, or may cause, which source that is. */
export function ofFont(task: Task, error: unknown): unknown {
  const index = task.sources.findIndex(({ kind }) => kind === 'font');
  if (index < 0 || !(error instanceof TaskFailure) || error.sourceIndex !== undefined) return error;
  if (error.code === 'font_invalid') return aboutSource(index, error);
  if (error.code !== 'render_failed') return error;
  const hint = 'If it happens again, the font in style.font_url may be the cause: leave it out.';
  return aboutSource(index, error, `${error.message} ${hint}`);
}

/** Adds to a failure of captions or words which source they are from, if it is a file. */
export function ofText(task: Task, error: unknown): unknown {
  const index = task.sources.findIndex(({ kind }) => kind === 'text');
  if (index < 0 || !(error instanceof TaskFailure) || error.sourceIndex !== undefined) return error;
  return error.code === 'captions_invalid' ? aboutSource(index, error) : error;
}

/** Adds to a failure which source it is about. */
export async function ofSource<T>(sourceIndex: number, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof TaskFailure)) throw error;
    throw aboutSource(sourceIndex, error);
  }
}

function aboutSource(
  sourceIndex: number,
  { code, message, retryable, cause }: TaskFailure,
  detail = message,
): TaskFailure {
  return new TaskFailure(code, detail, { sourceIndex, retryable, cause });
}
