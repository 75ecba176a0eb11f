import { attemptOfKey } from '../../schema/api/provider-keys.ts';
import type { Stage, TaskPlan, Warning } from '../../schema/task/task.ts';
import { AI_PATH, type Failure, type Metering, type Result } from '../../schema/task/wire.ts';
import type { Programs } from '../ffmpeg/run.ts';
import type { Log } from '../log.ts';
import { analyzeAndPlan } from '../media/execute/analyze-and-plan.ts';
import { bytesToWrite } from '../media/execute/disk-need.ts';
import { render } from '../media/execute/execute-plan.ts';
import type { MediaContext } from '../media/execute/media-context.ts';
import { probeMedia } from '../media/probe/probe-media.ts';
import { contained, readable, withSteadySources } from '../media/remux/remux.ts';
import { tracedToSource } from '../media/verify/source-damage.ts';
import { admit, admitPicture } from '../media/verify/source-limits.ts';
import { verify } from '../media/verify/verify.ts';
import { diskFailureOf } from '../model/disk-failure.ts';
import { memoryShare } from '../model/memory-share.ts';
import type { Limits } from '../model/plan.ts';
import { admitWork } from '../model/render-work.ts';
import { admitReport } from '../model/report-size.ts';
import type { MediaProbe } from '../model/source/media-probe.ts';
import type { MediaSource, ProbedSource } from '../model/source/media-source.ts';
import { TaskFailure } from '../model/task-failure.ts';
import { plannerOf } from '../operations/index.ts';
import type { ObjectStore } from '../source/s3.ts';
import { callerSpeechApi } from './caller-speech-api.ts';
import type { Disk, DiskClaim } from './disk.ts';
import { plannedOf } from './dry-run.ts';
import { namedRefusal } from './explain-unreadable-source.ts';
import { incompleteSources, joinedSources, ofIncomplete } from './incomplete-sources.ts';
import { Interruption, type Why } from './interruption.ts';
import type { Task } from './job.ts';
import { ofFont, ofSource, ofText, type Reach, TaskSources } from './open-sources.ts';
import { otherSpeeds } from './other-speeds.ts';
import { readText } from './read-text.ts';
import { runParallel } from './run-parallel.ts';
import { ofSoundAlone } from './sound-alone.ts';
import { deliver } from './upload.ts';
import type { Workspace, Workspaces } from './workspaces.ts';

export interface TaskContext {
  workspaces: Pick<Workspaces, 'take'>;
  reach: Reach;
  /** Decrypts a value that the Worker sealed for an attempt. */
  openSealed: (sealed: string, about: string) => Promise<string>;
  media: Omit<MediaContext, 'log' | 'libav'>;
  store: ObjectStore;
  disk: Disk;
  log: Log;
}

export type Outcome =
  | { type: 'completed'; result: Result; metering: Metering }
  | { type: 'planned'; plan: TaskPlan; warnings: Warning[]; metering: Metering }
  | { type: 'failed'; failure: Failure; metering: Metering }
  | { type: 'interrupted'; why: Exclude<Why, 'timed_out'> };

/** Overall progress in percent once every source has been fetched completely. */
const FETCHED = 15;

interface ProgressListener {
  /** Overall progress, 0–100. */
  progress(stage: Stage, percent: number): void;
  sourcesLast(seconds: number): void;
}

/**
 * Runs one attempt from source to stored result. Never throws, and after a failure leaves no file, process or object
 * behind.
 */
export async function runTask(
  ctx: TaskContext,
  task: Task,
  interrupted: AbortSignal,
  listener: ProgressListener,
): Promise<Outcome> {
  const { log } = ctx;
  const programs = sharedOut(ctx.media.programs, task.limits);
  let media: MediaContext = { ...ctx.media, programs, libav: null, log };
  const opened = new TaskSources();
  const planner = plannerOf(task.operation);
  const startedAt = performance.now();
  let sourceSeconds = 0;
  let doing: Stage = 'fetching';
  let fetches = 0;
  let workspace: Workspace | undefined;
  let claim: DiskClaim | undefined;
  const tooMuch = new AbortController();
  const signal = AbortSignal.any([interrupted, tooMuch.signal]);
  let sources: MediaSource[] = [];
  let arrived: MediaSource[] = [];
  const metering = (): Metering => ({
    source_seconds: sourceSeconds,
    processing_seconds: Math.round(performance.now() - startedAt) / 1000,
    bytes_read: opened.traffic.bytes,
  });
  const stage = () => (fetches > 0 ? 'fetching' : doing);

  /** A failure leaves the stage unchanged, for its report. */
  async function fetching<T>(work: () => Promise<T>): Promise<T> {
    fetches += 1;
    const value = await work();
    fetches -= 1;
    return value;
  }

  async function step<T>(
    name: string,
    at: Stage,
    [from, to]: [number, number],
    work: (onFraction: (fraction: number) => void) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    doing = at;
    listener.progress(at, from);
    const began = performance.now();
    const value = await work((fraction) =>
      listener.progress(stage(), from + (to - from) * Math.min(1, Math.max(0, fraction))),
    );
    log.info('step', { step: name, ms: Math.round(performance.now() - began) });
    return value;
  }

  /** What caused a failure. It decodes sources, and is interrupted like any other work. */
  async function explained(fault: unknown): Promise<unknown> {
    const traced = await tracedToSource(media, sources, fault, signal);
    const refused = await namedRefusal(await ofIncomplete(arrived, traced), sources);
    return ofSoundAlone(task, ofText(task, ofFont(task, refused)));
  }

  try {
    workspace = await ctx.workspaces.take();
    const { directory, libav } = workspace;
    media = { ...media, libav };
    const limitBytes = task.limits.work_bytes;
    const onOver = () => tooMuch.abort(tooManyBytes(stage(), limitBytes));
    const disk = ctx.disk.claim({ directory, limitBytes, onOver, log });
    claim = disk;
    await disk.expect(0);
    sources = await step('open', 'fetching', [0, FETCHED], () =>
      opened.open(task, {
        ...{ reach: ctx.reach, store: ctx.store, directory, signal, fetching },
        expect: (bytes) => disk.expect(bytes),
        near: planner.near?.(task.input) ?? null,
        onFraction: (fraction) => listener.progress('fetching', FETCHED * fraction),
      }),
    );
    arrived = sources;
    const expect = (bytes: number) => disk.expect(bytes);
    const readOf = (index: number) => planner.within?.(task.input, index) ?? null;
    sources = await runParallel(
      signal,
      sources.map((source, index) => (either: AbortSignal) => {
        const name = `contained-${index}`;
        const containing = { directory, name, expect, signal: either };
        const reading = { remuxedFor: planner.remuxedFor, read: readOf(index) };
        return ofSource(index, contained(media, source, { ...containing, ...reading }));
      }),
    );
    const texts = await opened.texts(task, { reach: ctx.reach, store: ctx.store, directory, signal });
    await opened.font(task, { reach: ctx.reach, store: ctx.store, directory, signal });
    const toRead = planner.reads?.(task.input, texts) ?? null;
    const brought = {
      texts,
      read: toRead === null ? undefined : await readText(toRead, signal),
      timeMaps: task.sources.flatMap(({ kind, url }) =>
        kind === 'time_map' ? [task.time_maps[url] ?? []] : [],
      ),
    };
    const sourceBytes = sources.reduce((sum, { bytes }) => sum + bytes, 0);
    // For the remuxed sources, and for the copies of their packets in the result.
    const roomy = 2 * sourceBytes <= disk.room;
    const { remuxedFor = 'copying' } = planner;
    const probing = (index: number, either: AbortSignal) => {
      const audioTrack = planner.audioTrack?.(task.input, index) ?? null;
      return (one: MediaSource) =>
        probeWithin(media, one, { limits: task.limits, audioTrack, signal: either });
    };
    const probed = await step('probe', 'analyzing', [2, 18], () =>
      runParallel(
        signal,
        sources.map((source, index) => async (either: AbortSignal) => {
          const probe = probing(index, either);
          const containing = { directory, name: `repacked-${index}`, expect, signal: either };
          const reading = {
            probe,
            read: readOf(index),
            remuxedFor: !roomy && remuxedFor === 'copying' ? 'decoding' : remuxedFor,
          };
          return ofSource(index, readable(media, source, reading, containing));
        }),
      ),
    );
    sourceSeconds = probed.reduce((sum, { probe }) => sum + (probe.still ? 0 : probe.duration), 0);
    const sealed = task.provider_key;
    const providerKey = sealed && (await ctx.openSealed(sealed, attemptOfKey(task.task_id, task.attempt)));
    const speechApi = task.speech_api && (await callerSpeechApi(ctx, task, task.speech_api));
    listener.sourcesLast(sourceSeconds);
    const planned = (from: ProbedSource[]) =>
      step('plan', 'analyzing', [18, 20], () =>
        analyzeAndPlan(media, planner, task.input, from, {
          limits: task.limits,
          brought,
          directory,
          providerKey,
          ...(speechApi ? { speechApi } : {}),
          ...(task.workers_ai
            ? { workersAi: { url: task.callback_url + AI_PATH, secret: task.callback_secret } }
            : {}),
          signal,
        }),
      );
    const naming = (index: number) => ({
      ...{ directory, name: `steady-${index}`, expect, signal, probe: probing(index, signal) },
    });
    const made = await withSteadySources(media, probed, naming, async (from) => {
      const plan = await planned(from);
      const probes = from.map(({ probe }) => probe);
      admitWork({ operation: task.operation, plan, probes }, task.limits.task_seconds);
      admitReport(plan);
      if (task.input.dry_run === true)
        return { plan: plannedOf(task, plan, probes), warnings: plan.warnings };
      await disk.expect(bytesToWrite(plan, sourceBytes, task.limits.output_bytes));
      return step('render', 'rendering', [20, 90], (onFraction) =>
        render(media, plan, {
          ...{ directory, sources: from, providerKey, signal, onProgress: onFraction },
          fileBytes: task.limits.output_bytes,
        }),
      );
    });
    const durations = probed.map(({ probe }) => (probe.still ? null : probe.duration));
    const incomplete = await incompleteSources(
      arrived.map((source, index) => ({ source, duration: durations[index] ?? null })),
    );
    const rates = otherSpeeds(probed.map(({ probe }) => probe));
    const warnings = [...incomplete, ...(await joinedSources(arrived)), ...rates, ...made.warnings];
    if ('plan' in made) return { type: 'planned', ...made, warnings, metering: metering() };
    const rendered = { ...made, warnings };
    const result = await step('verify and store', 'uploading', [90, 99], (onFraction) =>
      deliver(ctx, task, rendered, {
        signal,
        check: async (either) => {
          await verify(media, rendered, either);
          // Its tables take as much memory as the parts that are sent.
          await workspace?.endProcesses();
        },
        onFraction,
      }),
    );
    log.info('sources read', { ...opened.traffic });
    return {
      type: 'completed',
      result: { ...result, bytes_read: opened.traffic.bytes },
      metering: metering(),
    };
  } catch (error) {
    if (interrupted.aborted) return outcomeOf(error, interrupted, stage(), metering(), log);
    const fault = tooMuch.signal.aborted ? tooMuch.signal.reason : (diskFailureOf(error) ?? error);
    const reason = await explained(fault).catch((unexplained) => {
      log.warn('what caused a failure could not be found out', { error: unexplained });
      return fault;
    });
    return outcomeOf(reason, interrupted, stage(), metering(), log);
  } finally {
    claim?.close();
    await discard(opened, workspace, log);
  }
}

function tooManyBytes(stage: Stage, limitBytes: number): TaskFailure {
  const code = stage === 'fetching' ? 'source_too_large' : 'output_too_large';
  return new TaskFailure(
    code,
    `The files of this task need more than ${limitBytes / 1e9} GB of disk space, the limit of your plan. Use smaller sources or a smaller output.`,
  );
}

/** Limits the memory of each process to the share of the account's plan. */
function sharedOut({ sandbox, ...programs }: Programs, limits: Limits): Programs {
  if (!sandbox) return programs;
  return { ...programs, sandbox: { ...sandbox, memoryBytes: memoryShare(sandbox.memoryBytes, limits) } };
}

async function probeWithin(
  media: MediaContext,
  source: MediaSource,
  { limits, audioTrack, signal }: { limits: Limits; audioTrack: number | null; signal: AbortSignal },
): Promise<MediaProbe> {
  await admitPicture(source, limits);
  const probe = await probeMedia(media, source, signal, audioTrack);
  admit(probe, limits);
  return probe;
}

function outcomeOf(error: unknown, signal: AbortSignal, stage: Stage, metering: Metering, log: Log): Outcome {
  const failed = (failure: Omit<Failure, 'stage'>): Outcome => ({
    type: 'failed',
    failure: { ...failure, stage },
    metering,
  });
  if (signal.aborted && signal.reason instanceof Interruption) {
    const { why } = signal.reason;
    if (why !== 'timed_out') return { type: 'interrupted', why };
    return failed({ code: 'timed_out', detail: 'The task took longer than your plan allows.' });
  }
  if (error instanceof TaskFailure) {
    log.warn('task failed', { code: error.code, stage, error });
    const { code, sourceIndex, retryable } = error;
    return failed({
      code,
      detail: error.message.slice(0, 1000),
      ...(sourceIndex === undefined ? {} : { source_index: sourceIndex }),
      ...(retryable === undefined ? {} : { retryable }),
    });
  }
  log.error('task failed unexpectedly', { stage, error });
  return failed({ code: 'internal_error', detail: 'An internal error occurred.' });
}

async function discard(opened: TaskSources, workspace: Workspace | undefined, log: Log): Promise<void> {
  for (const part of [opened, workspace]) {
    try {
      await part?.close();
    } catch (error) {
      log.error('could not remove a workspace', { error });
    }
  }
}
