import { existsSync, mkdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { Writable } from 'node:stream';
import {
  LocalFile,
  type OperationName,
  type PendingTask,
  type Progress,
  type Spool,
  type StartOptions,
  TaskResult,
} from '../src/index.ts';
import { interruption, NotSavedError, ReplacesSourceError, UsageError, waitError } from './exit-codes.ts';
import { type Command, inputOf, type Options, optionsOf, readArguments } from './flags.ts';
import { connect } from './login-file.ts';
import { ProgressBar } from './progress-bar.ts';

/** Flags of every operation and of `spool wait`. */
export const resultOptions = {
  output: {
    type: 'string',
    short: 'o',
    about: 'Where the result goes: a file, a folder, or - for standard output.',
  },
  file: { type: 'string', about: 'Which file of the result; the main file by default.' },
  all: { type: 'boolean', about: 'All files of the result, into the folder of -o.' },
  json: { type: 'boolean', about: 'Print the task as JSON. Without -o, nothing is saved.' },
  quiet: { type: 'boolean', short: 'q', about: 'No progress.' },
  url: { type: 'string', about: 'Address of the service, unless the operation has a --url of its own.' },
  help: { type: 'boolean', short: 'h', about: 'This text.' },
} as const satisfies Options;

export const startOptions = {
  'no-wait': { type: 'boolean', about: 'Print the id of the task and end; see spool wait.' },
} as const satisfies Options;

export interface ResultFlags {
  output?: string;
  file?: string;
  all?: boolean;
  json?: boolean;
  quiet?: boolean;
}

type Start = (input: object, options: StartOptions) => PendingTask<TaskResult | object>;

/** `spool cut talk.mp4 --start 3 --duration 5 -o out.mp4` */
export async function runOperation(command: Command, args: readonly string[]): Promise<void> {
  const detached = args.includes('--no-wait');
  const { values, positionals } = readArguments(
    args.filter((arg) => arg !== '--no-wait'),
    // `--url` of an operation is its source; the service is then set by SPOOL_URL.
    { ...resultOptions, ...optionsOf(command) },
  );
  const flags = values as ResultFlags & { url?: string };
  checkTarget(flags);
  const hasOwnUrl = command.flags.some(({ field }) => field === 'url');
  const input = inputOf(command, values, positionals);
  checkSources(flags, input);
  const spool = connect(hasOwnUrl ? undefined : flags.url);
  await interruptible(async (signal) => {
    const bar = new ProgressBar(process.stderr, flags.quiet === true || flags.json === true);
    const start = spool[command.method as keyof Spool] as unknown as Start;
    const pending = start(input, { signal });
    try {
      if (detached) {
        const task = await pending;
        process.stdout.write(flags.json ? `${JSON.stringify(task)}\n` : `${task.id}\n`);
        return;
      }
      const onProgress = (progress: Progress) => bar.show(progress);
      const result = await pending.wait({ signal, onProgress }).catch(async (error: unknown) => {
        throw waitError(error, await pending.then(({ id }) => id).catch(() => undefined));
      });
      if (result instanceof TaskResult) await deliver(result, flags, bar, signal, input);
      else printPlan(result, flags);
    } catch (error) {
      if (signal.aborted) await pending.delete().catch(() => undefined);
      throw error;
    } finally {
      bar.end();
    }
  });
}

/** Prints what a dry run has found out. */
export function printPlan(task: object, { json }: Pick<ResultFlags, 'json'>): void {
  process.stdout.write(`${JSON.stringify(json ? task : Reflect.get(task, 'plan'), null, 2)}\n`);
}

/** Standard output may be a file of the shell, which must not be replaced, and gets nothing but the result. */
const isStdout = (output = '') => ['-', '/dev/stdout', '/dev/fd/1'].includes(output);

/** Refuses a place that nothing can be saved to, before anything is sent. @throws UsageError */
export function checkTarget({ output, file, all }: ResultFlags): void {
  if (all && file !== undefined) throw new UsageError('Give either --all or --file, not both.');
  if (output === undefined) return;
  if (isStdout(output)) {
    if (all) throw new UsageError('--all saves several files: give a folder in -o.');
    return;
  }
  const there = statSync(output.replace(/[\\/]+$/, '') || output, { throwIfNoEntry: false });
  if (there?.isDirectory() === false && (all || /[\\/]$/.test(output)))
    throw new UsageError(`-o ${output} is a file. Give a folder.`);
  // A folder is made, but not the one that a file goes to: it may be misspelt.
  const folder = dirname(output);
  if (!all && !/[\\/]$/.test(output) && !existsSync(folder))
    throw new UsageError(`-o ${output}: there is no folder ${folder}.`);
}

/** Refuses a result that would replace a source, by whichever path or link. @throws UsageError */
export function checkSources({ output = '-' }: Pick<ResultFlags, 'output'>, input: unknown): void {
  if (isStdout(output)) return;
  const what = sourceAt(output, input);
  if (what !== undefined)
    throw new UsageError(`-o ${output} ${what}, which the result would replace. Give another path.`);
}

/** What this path is of the sources; undefined if it is another place. */
function sourceAt(output: string, input: unknown): string | undefined {
  const target = statSync(output, { throwIfNoEntry: false, bigint: true });
  if (!target?.isFile()) return undefined;
  for (const path of pathsIn(input)) {
    const source = statSync(path, { throwIfNoEntry: false, bigint: true });
    if (source?.dev !== target.dev || source.ino !== target.ino) continue;
    return path === output ? 'is the source' : `is the same file as the source ${path}`;
  }
  return undefined;
}

/** The files of this machine that a request names, at any depth. */
const pathsIn = (value: unknown): string[] => {
  if (value instanceof LocalFile) return [value.path];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(pathsIn) : [];
};

/** Saves the files, but not in place of one of the request, and says where they are. @throws NotSavedError */
export async function deliver(
  result: TaskResult<OperationName>,
  flags: ResultFlags,
  bar: ProgressBar,
  signal: AbortSignal,
  input?: object,
): Promise<void> {
  try {
    await save(result, flags, bar, signal, input);
  } catch (error) {
    throw signal.aborted ? error : new NotSavedError(result.task.id, error);
  }
}

async function save(
  result: TaskResult<OperationName>,
  flags: ResultFlags,
  bar: ProgressBar,
  signal: AbortSignal,
  input: object | undefined,
): Promise<void> {
  const { output, file, all, json } = flags;
  const { files, media_type } = result.output;
  const onProgress = ({ received, total }: { received: number; total: number }) =>
    bar.draw('saving', total === 0 ? 100 : (received / total) * 100);
  if (isStdout(output)) {
    await result.download(toStdout(), { signal, onProgress, ...(file === undefined ? {} : { file }) });
    return;
  }
  const isDocument =
    media_type === 'application/json' && [output, file, all].every((flag) => flag === undefined);
  if (isDocument && !json) return void process.stdout.write(`${JSON.stringify(result.data, null, 2)}\n`);
  // A script that wants the data of a task has to say where files should go.
  const wanted =
    json && output === undefined ? [] : all ? files.map(({ role }) => role) : [file ?? files[0]?.role ?? ''];
  const paths: string[] = [];
  for (const role of wanted) {
    const path = await pathOf(() => result.fileName({ file: role, signal }), flags, paths);
    const what = sourceAt(path, input);
    if (what !== undefined) throw new ReplacesSourceError(`${path} ${what}, which the result would replace.`);
    paths.push(path);
  }
  for (const [index, role] of wanted.entries())
    await result.download(paths[index] ?? role, { file: role, signal, onProgress });
  bar.end();
  if (json) process.stdout.write(`${JSON.stringify({ ...result.task, saved: paths }, null, 2)}\n`);
  else process.stdout.write(paths.map((path) => `${path}\n`).join(''));
  const others = files.filter(({ role }) => !wanted.includes(role));
  if (others.length > 0 && !json && process.stderr.isTTY)
    process.stderr.write(
      `Also: ${others.map(({ role }) => role).join(', ')}. --file ROLE saves one, --all saves all.\n`,
    );
}

async function pathOf(
  name: () => Promise<string>,
  { output, all }: ResultFlags,
  taken: readonly string[],
): Promise<string> {
  if (output === undefined) return freeName(await name(), taken);
  const isFolder = all || /[\\/]$/.test(output) || statSync(output, { throwIfNoEntry: false })?.isDirectory();
  if (!isFolder) return output;
  mkdirSync(output, { recursive: true });
  return join(output, await name());
}

/** `talk-1.mp4` if there is a `talk.mp4`: without -o nothing is replaced. */
function freeName(name: string, taken: readonly string[]): string {
  const end = extname(name);
  let free = name;
  for (let count = 1; existsSync(free) || taken.includes(free); count++)
    free = `${basename(name, end)}-${count}${end}`;
  return free;
}

/** The output of the program stays open: it is not only ours. */
const toStdout = () =>
  new Writable({
    write: (chunk, _, done) => void process.stdout.write(chunk, (error) => done(error ?? null)),
  });

/** Ctrl-C ends what is under way; a second one ends the program. */
export async function interruptible(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  const stop = () => controller.abort(interruption());
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    await work(controller.signal);
  } finally {
    process.removeListener('SIGINT', stop);
    process.removeListener('SIGTERM', stop);
  }
}
