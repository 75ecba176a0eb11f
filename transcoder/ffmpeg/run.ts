import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { isAbsolute } from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { plans } from '../../schema/api/plans.ts';
import { diskFailureIn } from '../model/disk-failure.ts';
import { TaskFailure } from '../model/task-failure.ts';
import { diagnose, withoutTags } from './diagnose.ts';
import { located } from './located.mjs';
import { outputReader, progressReader } from './progress.ts';
import { type ConfinedCommand, confined, FILTER_FD, type Sandbox } from './sandbox.ts';

/** Locations of the programs: a name found on PATH below, or an absolute path. */
export interface Programs {
  ffmpeg: string;
  ffprobe: string;
  /** Omitted only if every file is trusted. */
  sandbox?: Sandbox;
}

/** Programs that are always found on PATH, each from a Debian package. */
export type Tool = 'flite' | 'espeak-ng' | 'rubberband' | 'pocketsphinx_batch' | 'fc-list';

type Program = 'ffmpeg' | 'ffprobe' | Tool;

export interface RunOptions {
  signal?: AbortSignal | undefined;
  /** Working and home directory of the process: the job's directory. */
  cwd?: string;
  /** Files that it may read in addition to `cwd`. */
  reads?: readonly string[];
  /** Largest file that it may write; beyond it the run fails with `output_too_large`. */
  fileBytes?: number;
  /** Standard input of the process. */
  input?: Readable | undefined;
  /** Receives the seconds of output written so far; needs `-progress pipe:1` among the arguments. */
  onProgress?: (outTimeSeconds: number) => void;
  /** Receives stdout as it arrives; nothing more is read until a promise that it returns is fulfilled. */
  onOutput?: (chunk: Buffer) => unknown;
  /** Kills the process after this time: `timed_out`. */
  timeoutSeconds?: number;
  /** Kills the process if its output has not grown for this time: `timed_out`. Only with `onProgress` or `onOutput`. */
  stallSeconds?: number;
  /**
   * Kills the process once it has produced more seconds of output than this: `source_too_long`. Only with `onProgress`.
   */
  longestSeconds?: number;
  /** Kills the process if it writes more to stdout than this: `render_failed`. */
  stdoutLimit?: number;
}

interface RunResult {
  /** Empty if `onProgress` or `onOutput` consumed it. */
  stdout: string;
  stderrTail: string;
}

/** The complete environment of every process we start. SVT-AV1 would print its configuration to stderr; 1 limits it to errors. */
export const cleanEnvironment = (home: string) => ({ PATH, LANG: 'C.UTF-8', HOME: home, SVT_LOG: '1' });

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin';

/** Whether a tool is in one of the folders of the fixed `PATH`. */
export const isInstalled = (tool: Tool): boolean => isAbsolute(located(tool, PATH));

const STDERR_TAIL = 16_384;
const STDOUT_LIMIT = 64 * 1024 * 1024;
const KILL_AFTER_MS = 2000;
const LARGEST = plans.elite;

/**
 * Runs ffmpeg, ffprobe or a tool to its end, in its own process group and with a clean environment. Throws the reason
 * of `signal` if aborted, otherwise a TaskFailure (see diagnose.ts).
 */
export async function run(
  programs: Programs,
  program: Program,
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  const { signal, cwd = '/', stdoutLimit = STDOUT_LIMIT } = options;
  signal?.throwIfAborted();
  const { command, filter } = confinedCommand(programs, program, args, options);
  const child = spawn(command[0], command.slice(1), {
    cwd,
    detached: true,
    env: cleanEnvironment(cwd),
    stdio: [options.input ?? 'ignore', 'pipe', 'pipe', filter ? 'pipe' : 'ignore'],
  });
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('spawn returned a process without stdout or stderr');
  handFilter(child, filter);

  let stopped: { reason: unknown } | undefined;
  const stop = (reason: unknown) => {
    if (stopped) return;
    stopped = { reason };
    stdout.resume();
    endGroup(child);
  };
  const onAbort = () => stop(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });

  const chunks: Buffer[] = [];
  let size = 0;
  let stderrTail = '';
  stderr.setEncoding('utf8');
  stderr.on('data', (text: string) => {
    stderrTail = (stderrTail + text).slice(-STDERR_TAIL);
  });

  const timers: NodeJS.Timeout[] = [];
  if (options.timeoutSeconds !== undefined) {
    const seconds = options.timeoutSeconds;
    timers.push(
      setTimeout(
        () => stop(new TaskFailure('timed_out', `A step had no result after ${seconds} s.`)),
        seconds * 1000,
      ),
    );
  }
  const { onOutput, stallSeconds, longestSeconds = Number.POSITIVE_INFINITY } = options;
  let first: number | undefined;
  const onProgress = (seconds: number) => {
    first ??= seconds;
    if (seconds - first > longestSeconds) stop(ranOn());
    options.onProgress?.(seconds);
  };
  const progress = onOutput
    ? outputReader(onOutput)
    : options.onProgress
      ? progressReader(onProgress)
      : undefined;
  if (progress && stallSeconds !== undefined) {
    timers.push(
      setInterval(() => {
        if (progress.secondsSinceRise() < stallSeconds) return;
        stop(new TaskFailure('timed_out', `Rendering made no progress for ${stallSeconds} s.`));
      }, 1000),
    );
  }
  const wait = (taken: unknown) => {
    if (!(taken instanceof Promise)) return;
    stdout.pause();
    taken.then(() => stdout.resume(), stop);
  };
  stdout.on('data', (chunk: Buffer) => {
    if (progress) return wait(progress.push(chunk));
    size += chunk.length;
    if (size > stdoutLimit)
      return stop(new TaskFailure('render_failed', 'The source is too complex to be analyzed.'));
    chunks.push(chunk);
  });

  try {
    const exit = await ended(child);
    if (stopped) throw stopped.reason;
    // Some programs exit with 0 although their output could not be written.
    const said = withoutTags(stderrTail);
    if (exit.code !== 0 || diskFailureIn(said)) throw diagnose(exit, said);
    return {
      stdout: Buffer.concat(chunks).toString('utf8'),
      stderrTail,
    };
  } finally {
    for (const timer of timers) clearInterval(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function confinedCommand(
  { sandbox, ...programs }: Programs,
  program: Program,
  args: readonly string[],
  { cwd = '/', reads = [], fileBytes = LARGEST.output_bytes, timeoutSeconds }: RunOptions,
): ConfinedCommand {
  const name = program in programs ? programs[program as keyof typeof programs] : program;
  if (!sandbox) return { command: [name, ...args], filter: null };
  const cpuSeconds = Math.ceil(timeoutSeconds ?? LARGEST.task_seconds) * availableParallelism();
  return confined(sandbox, [name, ...args], { cwd, reads, fileBytes, cpuSeconds });
}

/** Writes the seccomp filter to a process. Errors are ignored: if it has already ended, its exit says why. */
export function handFilter({ stdio }: ChildProcess, filter: Buffer | null): void {
  const pipe = stdio[FILTER_FD];
  if (!filter || !(pipe instanceof Writable)) return;
  pipe.on('error', () => {});
  pipe.end(filter, () => pipe.destroy());
}

const ranOn = () => new TaskFailure('source_too_long', 'The source is much longer than its header says.');

function ended(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    for (const stream of [child.stdout, child.stderr]) stream?.on('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

function endGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), KILL_AFTER_MS);
  child.once('close', () => clearTimeout(timer));
}

/** Signals a whole process group through its leader. */
export function signalGroup(child: Pick<ChildProcess, 'pid'>, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
