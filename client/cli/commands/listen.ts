import {
  ApiError,
  type Spool,
  SpoolError,
  signWebhook,
  type Task,
  type WebhookEvent,
} from '../../src/index.ts';
import { pause } from '../../src/transport.ts';
import { UsageError } from '../exit-codes.ts';
import { connect } from '../login-file.ts';
import { interruptible } from '../run-operation.ts';
import { type OwnCommand, serviceOption } from './own-command.ts';

const POLL_SECONDS = 2;
const RECEIVER_MS = 15_000;

export const listen: OwnCommand = {
  parameters: '[ADDRESS]',
  most: 1,
  summary: 'Forward webhooks to an address on this machine while it runs.',
  details:
    'Asks every two seconds which tasks have ended, and posts the event of each to ADDRESS, signed with the secret of your account like a real webhook. The service itself does not send these events: their ids are not in its log of deliveries, and a failed post is not repeated. Without ADDRESS, events are printed as lines of JSON.',
  options: serviceOption,
  examples: ['spool listen http://127.0.0.1:3000/webhooks'],
  run: async ([address], { url }) => {
    if (address !== undefined && !/^https?:\/\//.test(address))
      throw new UsageError(`${address} is not an address. Give one such as http://127.0.0.1:3000/webhooks.`);
    const spool = connect(url as string | undefined);
    let isRead = true;
    // `| head` has all that it wanted.
    process.stdout.once('error', () => {
      isRead = false;
    });
    await interruptible(async (signal) => {
      const { secret } = await spool.webhooks.secret();
      const ended = new EndedTasks(spool);
      await ended.start(signal);
      process.stderr.write(`Listening to ${spool.baseUrl}. Ctrl-C ends it.\n`);
      let isOut = false;
      while (!signal.aborted && isRead) {
        const found = await ended.next(signal).catch(outageOf);
        if (found instanceof SpoolError) {
          if (!isOut) process.stderr.write(`${found.message} Listening goes on when the service is back.\n`);
          isOut = true;
          await pause(Math.max(POLL_SECONDS, retryAfterOf(found)), signal);
          continue;
        }
        isOut = false;
        for (const task of found) await forward(eventOf(task), secret, address, signal);
        await pause(POLL_SECONDS, signal);
      }
    }).catch((error: unknown) => {
      // Ctrl-C is how it ends.
      if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
    });
  },
};

/** An error that passes: the next question finds what has ended meanwhile. */
function outageOf(error: unknown): SpoolError {
  if (error instanceof SpoolError && error.retryable) return error;
  throw error;
}

const retryAfterOf = (error: SpoolError) => (error instanceof ApiError ? (error.retryAfter ?? 0) : 0);

/** The tasks that have ended since the last question. */
class EndedTasks {
  readonly #spool: Spool;
  /** Ids of tasks that have not ended. */
  #live = new Set<string>();
  /** The newest task of the last question; ids follow the times of their tasks. */
  #newest = '';

  constructor(spool: Spool) {
    this.#spool = spool;
  }

  /** Notes what there is: tasks that have ended before are none of its business. */
  async start(signal: AbortSignal): Promise<void> {
    const { data } = await this.#spool.tasks.list({ limit: 1, signal }).page();
    this.#newest = data[0]?.id ?? '';
    for (const status of ['queued', 'processing'] as const)
      for await (const { id } of this.#spool.tasks.list({ status, limit: 100, signal })) this.#live.add(id);
  }

  async next(signal: AbortSignal): Promise<Task[]> {
    const ended: Task[] = [];
    const live = new Set<string>();
    const [oldest = this.#newest] = [...this.#live, this.#newest].sort();
    let newest = this.#newest;
    for await (const task of this.#spool.tasks.list({ limit: 20, signal })) {
      const { id, status } = task;
      if (id < oldest) break;
      if (id > newest) newest = id;
      if (status !== 'completed' && status !== 'failed') live.add(id);
      else if (id > this.#newest || this.#live.has(id)) ended.push(task);
    }
    this.#live = live;
    this.#newest = newest;
    return ended.reverse();
  }
}

function eventOf(task: Task): WebhookEvent {
  return {
    object: 'event',
    // As the ids of the service look: it says which task has ended, and stays the same if it is sent twice.
    id: task.id.replace(/^task_/, 'evt_'),
    type: task.status === 'completed' ? 'task.completed' : 'task.failed',
    created_at: task.completed_at ?? new Date().toISOString(),
    data: { object: task },
  };
}

async function forward(
  event: WebhookEvent,
  secret: string,
  address: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const body = JSON.stringify(event);
  if (address === undefined) return void process.stdout.write(`${body}\n`);
  const headers = { 'content-type': 'application/json', ...(await signWebhook(event.id, body, secret)) };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(RECEIVER_MS)]);
  const outcome = await fetch(address, {
    method: 'POST',
    headers,
    body,
    signal: limit,
    redirect: 'manual',
  }).then(
    ({ status }) => `${status}`,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const { object } = event.data;
  process.stdout.write(`${event.type}  ${object.object === 'task' ? object.id : ''}  ${outcome}\n`);
}
