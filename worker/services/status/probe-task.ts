import { newId } from '../../../schema/task/ids.ts';
import type { Context } from '../../context.ts';
import type { Caller } from '../../repos/keys.ts';
import type { TaskView } from '../../repos/task-row.ts';
import { submit } from '../tasks/submit.ts';
import { secondOfSound } from './second-of-sound.ts';

const PAUSE_MS = 500;
/** This account has no key and no member. */
const caller = {
  accountId: 'acct_00000000000000000000000000',
  plan: 'basic',
  subscription: 'active',
} as const satisfies Caller;
const SOURCE = `task_${'0'.repeat(26)}`;
const KEY = `t/${SOURCE}/1/second.wav`;
/** 1 January 2100. The file is 16 kB. */
const FAR = 4_102_444_800_000;

/**
 * The source is the file of a task that is written here as completed: a deployed service does not read from its own address, and
 * no other host is needed.
 */
async function ensureSource({ status, statusObjects }: Context, now: number): Promise<void> {
  const content = secondOfSound();
  await statusObjects.ensure(KEY, 'audio/wav', () => content);
  const file = {
    ...{ role: 'audio', key: KEY, file_name: 'second.wav', media_type: 'audio/wav' },
    ...{ file_size: content.length, sha256: '' },
  };
  await status.ensureSource(
    {
      ...{ id: caller.accountId, name: 'Probe tasks of /status', plan: caller.plan },
      ...{ subscription: caller.subscription, createdAt: now },
    },
    {
      ...({ id: SOURCE, seq: 0, requestId: 'status', operation: 'cut', status: 'completed' } as const),
      ...({ stage: 'done', progressPercent: 100, attempt: 1, input: {}, metadata: {} } as const),
      ...{ createdAt: now, startedAt: now, completedAt: now, expiresAt: FAR },
      result: {
        files: [file],
        ...{ duration: 1, width: null, height: null, fps: null },
        ...{ data: {}, time_map: [], warnings: [] },
      },
    },
  );
}

/**
 * Runs the probe task from submission to the end, and deletes it. The account's usage is taken away: this task is in no figure but
 * its own.
 * @returns the milliseconds from creation to completion in which no machine worked on it; null if that is not known
 * @throws unless it completes in this time
 */
export async function runProbeTask(context: Context, now: number, ms: number): Promise<number | null> {
  const { accountId } = caller;
  const deadline = Date.now() + ms;
  await ensureSource(context, now);
  await context.status.takeUsage(accountId);
  const input = { audio_url: `task:${SOURCE}`, start: 0.25, duration: 0.5 };
  const { task } = await submit(context, caller, 'cut', input, newId('request', now), new Headers());
  try {
    let seen: TaskView | null = task;
    while (seen?.status !== 'completed') {
      if (!seen || seen.status === 'failed') throw new Error(`the probe task failed: ${seen?.error?.code}`);
      if (Date.now() > deadline) throw new Error(`the probe task is still ${seen.status}`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      seen = await context.tasks.read(accountId, task.id);
    }
    const { completed, processingSeconds } = await context.status.takeUsage(accountId);
    // Two that run at the same time share a row.
    if (completed !== 1 || seen.completedAt === null) return null;
    return Math.max(0, Math.round(seen.completedAt - seen.createdAt - processingSeconds * 1000));
  } finally {
    await context.account(accountId).remove(accountId, task.id);
  }
}
