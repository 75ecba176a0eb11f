import { join } from 'node:path';
import type { Stage } from '../schema/task.ts';
import type { Failure, Result } from '../schema/wire.ts';
import { deliver } from './deliver.ts';
import { TaskFailure } from './failure.ts';
import { Interruption, type Why } from './interruption.ts';
import type { Task } from './job.ts';
import type { Log } from './log.ts';
import type { MediaContext } from './media/context.ts';
import { analyzeAndPlan, render, verify } from './media/operate.ts';
import { probeMedia } from './media/probe.ts';
import { plannerOf } from './operations/index.ts';
import { fetchSource } from './source/fetch.ts';
import type { ObjectStore } from './storage.ts';
import { together } from './together.ts';
import { makeWorkspace, removeWorkspace } from './workspace.ts';

export interface TaskContext {
  workDir: string;
  devOrigins: ReadonlySet<string>;
  media: Omit<MediaContext, 'log'>;
  store: ObjectStore;
  log: Log;
}

export type Outcome =
  | { type: 'completed'; result: Result }
  | { type: 'failed'; failure: Failure }
  | { type: 'interrupted'; why: Exclude<Why, 'timed_out'> };

type OnProgress = (stage: Stage, percent: number) => void;

/** Runs one attempt from source to stored result. Never throws; leaves no file, process or object of a failure behind. */
export async function runTask(
  ctx: TaskContext,
  task: Task,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<Outcome> {
  const { log } = ctx;
  const media = { ...ctx.media, log };
  let stage: Stage = 'fetching';
  let directory: string | undefined;

  async function step<T>(
    name: string,
    at: Stage,
    [from, to]: [number, number],
    work: (onFraction: (fraction: number) => void) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    stage = at;
    onProgress(at, from);
    const began = performance.now();
    const value = await work((fraction) =>
      onProgress(at, from + (to - from) * Math.min(1, Math.max(0, fraction))),
    );
    log.info('step', { step: name, ms: Math.round(performance.now() - began) });
    return value;
  }

  try {
    const workspace = await makeWorkspace(ctx.workDir);
    directory = workspace;
    const sources = await step('fetch', 'fetching', [0, 15], (onFraction) =>
      fetchSources(ctx, task, workspace, signal, onFraction),
    );
    const probed = await step('probe', 'analyzing', [15, 18], () =>
      together(
        signal,
        sources.map((source, index) => async (either: AbortSignal) => ({
          ...source,
          probe: await ofSource(index, probeMedia(media, source, either)),
        })),
      ),
    );
    checkDurations(task, probed);
    const plan = await step('plan', 'analyzing', [18, 20], () =>
      analyzeAndPlan(media, plannerOf(task.operation), task.input, probed, {
        limits: task.limits,
        directory: workspace,
        signal,
      }),
    );
    const rendered = await step('render', 'rendering', [20, 90], (onFraction) =>
      render(media, plan, { directory: workspace, sources: probed, signal, onProgress: onFraction }),
    );
    const result = await step('verify and store', 'uploading', [90, 99], (onFraction) =>
      deliver(ctx, task, rendered, {
        signal,
        check: (either) => verify(media, rendered, either),
        onFraction,
      }),
    );
    return { type: 'completed', result };
  } catch (error) {
    return outcomeOf(error, signal, stage, log);
  } finally {
    if (directory !== undefined) await discard(directory, log);
  }
}

function fetchSources(
  ctx: TaskContext,
  task: Task,
  directory: string,
  signal: AbortSignal,
  onFraction: (fraction: number) => void,
) {
  const rules = { devOrigins: ctx.devOrigins, ownHosts: new Set([new URL(task.callback_url).hostname]) };
  const fractions = task.sources.map(() => 0);
  return together(
    signal,
    task.sources.map(
      ({ url }, index) =>
        (either: AbortSignal) =>
          ofSource(
            index,
            fetchSource(url, {
              path: join(directory, `source-${index}`),
              limitBytes: task.limits.source_bytes,
              rules,
              signal: either,
              onProgress: (fraction) => {
                fractions[index] = fraction;
                onFraction(fractions.reduce((sum, part) => sum + part, 0) / fractions.length);
              },
            }),
          ),
    ),
  );
}

/** Tells which source a failure is about. */
async function ofSource<T>(sourceIndex: number, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof TaskFailure)) throw error;
    throw new TaskFailure(error.code, error.message, { sourceIndex, cause: error.cause });
  }
}

function checkDurations(task: Task, probed: readonly { probe: { duration: number | null } }[]): void {
  const limit = task.limits.source_seconds;
  const long = probed.findIndex(({ probe }) => (probe.duration ?? 0) > limit);
  if (long < 0) return;
  throw new TaskFailure('source_too_long', `The source is longer than ${limit} seconds`, {
    sourceIndex: long,
  });
}

function outcomeOf(error: unknown, signal: AbortSignal, stage: Stage, log: Log): Outcome {
  const failed = (failure: Omit<Failure, 'stage'>): Outcome => ({
    type: 'failed',
    failure: { ...failure, stage },
  });
  if (signal.aborted && signal.reason instanceof Interruption) {
    const { why } = signal.reason;
    if (why !== 'timed_out') return { type: 'interrupted', why };
    return failed({ code: 'timed_out', detail: 'The task took longer than the plan allows' });
  }
  if (error instanceof TaskFailure) {
    log.warn('task failed', { code: error.code, stage, error });
    const { code, sourceIndex } = error;
    return failed({
      code,
      detail: error.message.slice(0, 1000),
      ...(sourceIndex === undefined ? {} : { source_index: sourceIndex }),
    });
  }
  log.error('task failed unexpectedly', { stage, error });
  return failed({ code: 'internal_error', detail: 'Something went wrong on our side' });
}

async function discard(directory: string, log: Log): Promise<void> {
  try {
    await removeWorkspace(directory);
  } catch (error) {
    log.error('a workspace could not be removed', { error });
  }
}
