import { spawn } from 'node:child_process';
import { NoFilesError, type Progress, type Task, type TaskFilter } from '../../src/index.ts';
import { UsageError, waitError } from '../exit-codes.ts';
import { connect } from '../login-file.ts';
import { ProgressBar } from '../progress-bar.ts';
import {
  checkTarget,
  deliver,
  interruptible,
  printPlan,
  type ResultFlags,
  resultOptions,
} from '../run-operation.ts';
import { jsonOption, type OwnCommand, printJson, printTable, serviceOption } from './own-command.ts';

/** @throws UsageError */
function idsOf(positionals: readonly string[]): string[] {
  if (positionals.length === 0) throw new UsageError('Give the id of a task; `spool tasks` lists them.');
  return positionals.map((id) => id.replace(/^task:/, ''));
}

export const tasks: OwnCommand = {
  parameters: '',
  most: 0,
  summary: 'List your tasks, newest first.',
  details: '',
  options: {
    ...serviceOption,
    ...jsonOption,
    status: { type: 'string', about: 'Only queued, processing, completed or failed tasks.' },
    operation: { type: 'string', about: 'Only tasks of this operation, such as frame-last.' },
    limit: { type: 'string', about: 'How many; 20 by default.' },
  },
  examples: ['spool tasks', 'spool tasks --status failed --limit 5'],
  run: async (_, { url, json, status, operation, limit = '20' }) => {
    const most = Number(limit);
    if (!Number.isInteger(most) || most < 1) throw new UsageError('--limit is a whole number from 1 on.');
    const filter = {
      ...(status === undefined ? {} : { status }),
      ...(operation === undefined ? {} : { operation: String(operation).replaceAll('-', '_') }),
      limit: Math.min(100, most),
    } as TaskFilter;
    const found: Task[] = [];
    for await (const task of connect(url as string | undefined).tasks.list(filter)) {
      found.push(task);
      if (found.length >= most) break;
    }
    if (json) return void printJson(found);
    const rows = found.map((task) => [task.id, task.operation, stateOf(task), task.created_at]);
    printTable([['ID', 'OPERATION', 'STATUS', 'CREATED'], ...rows]);
  },
};

const stateOf = ({ status, progress_percent, error }: Task) =>
  status === 'processing'
    ? `processing ${Math.floor(progress_percent)} %`
    : error
      ? `failed: ${error.code}`
      : status;

export const wait: OwnCommand = {
  parameters: 'TASK',
  most: 1,
  summary: 'Wait for a task and save its result.',
  details:
    'Also for a task that was started elsewhere. A download that was interrupted continues where it ended.',
  options: resultOptions,
  examples: ['spool wait task_01kagzr0e0x7m3c9v5b2n8k4qd -o out.mp4'],
  run: async (positionals, values) => {
    const [id = ''] = idsOf(positionals);
    const flags = values as ResultFlags & { url?: string };
    checkTarget(flags);
    const spool = connect(flags.url);
    await interruptible(async (signal) => {
      const bar = new ProgressBar(process.stderr, flags.quiet === true || flags.json === true);
      try {
        const onProgress = (progress: Progress) => bar.show(progress);
        const result = await spool.tasks.wait(id, { signal, onProgress }).catch((error: unknown) => {
          throw waitError(error, id);
        });
        await deliver(result, flags, bar, signal);
      } catch (error) {
        if (!(error instanceof NoFilesError && error.task.plan)) throw error;
        printPlan(error.task, flags);
      } finally {
        bar.end();
      }
    });
  },
};

export const rm: OwnCommand = {
  parameters: 'TASK…',
  most: Number.POSITIVE_INFINITY,
  summary: 'Stop tasks that are running, and delete them with their files.',
  details: '',
  options: serviceOption,
  examples: ['spool rm task_01kagzr0e0x7m3c9v5b2n8k4qd'],
  run: async (positionals, { url }) => {
    const spool = connect(url as string | undefined);
    for (const id of idsOf(positionals)) {
      await spool.tasks.get(id);
      await spool.tasks.delete(id);
      process.stdout.write(`${id} is deleted\n`);
    }
  },
};

const openers: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

export const open: OwnCommand = {
  parameters: '[TASK]',
  most: 1,
  summary: 'Open a task, or the dashboard, in the browser.',
  details: 'Without a terminal it only prints the address.',
  options: serviceOption,
  examples: ['spool open task_01kagzr0e0x7m3c9v5b2n8k4qd'],
  run: async ([id], { url }) => {
    const spool = connect(url as string | undefined);
    const { id: account } = await spool.account();
    const address = `${spool.baseUrl}/app/${account}/${id === undefined ? 'home' : `tasks/${id.replace(/^task:/, '')}`}`;
    process.stdout.write(`${address}\n`);
    if (!process.stdout.isTTY) return;
    const [program = 'xdg-open', ...args] = openers[process.platform] ?? [];
    const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
    // No browser here: the address is printed.
    child.on('error', () => undefined);
    child.unref();
  },
};
