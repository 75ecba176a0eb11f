import { type Spool, signWebhook, type Task, type WebhookEvent } from '../../src/index.ts';
import { pause } from '../../src/transport.ts';
import { UsageError } from '../exit-codes.ts';
import { connect } from '../login-file.ts';
import { interruptible } from '../run-operation.ts';
import { type OwnCommand, serviceOption } from './own-command.ts';

const POLL_SECONDS = 2;
const RECEIVER_MS = 15_000;

export const listen: OwnCommand = {
  parameters: '[ADDRESS]',
  summary: 'Forward webhooks to an address on this machine while it runs.',
  details:
    'Asks every two seconds which tasks have ended, and posts the event of each to ADDRESS, signed with the secret of your account like a real webhook. The service itself does not send these events: their ids are not in its log of deliveries, and a failed post is not repeated. Without ADDRESS, events are printed as lines of JSON.',
  options: serviceOption,
  examples: ['spool listen http://127.0.0.1:3000/webhooks'],
  run: async ([address], { url }) => {
    if (address !== undefined && !/^https?:\/\//.test(address))
      throw new UsageError(`${address} is not an address. Give one such as http://127.0.0.1:3000/webhooks.`);
    const spool = connect(url as string | undefined);
    await interruptible(async (signal) => {
      const { secret } = await spool.webhooks.secret();
      const ended = new EndedTasks(spool);
      await ended.next(signal);
      process.stderr.write(`Listening to ${spool.baseUrl}. Ctrl-C ends it.\n`);
      while (!signal.aborted) {
        for (const task of await ended.next(signal)) await forward(eventOf(task), secret, address, signal);
        await pause(POLL_SECONDS, signal);
      }
    }).catch((error: unknown) => {
      // Ctrl-C is how it ends.
      if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
    });
  },
};

/** The tasks that have ended since the last question. */
class EndedTasks {
  readonly #spool: Spool;
  /** Tasks that have not ended, by id. */
  #live = new Map<string, string>();
  /** Newest task of the last question; the ids of tasks follow their times. */
  #newest = '';
  #first = true;

  constructor(spool: Spool) {
    this.#spool = spool;
  }

  async next(signal: AbortSignal): Promise<Task[]> {
    const ended: Task[] = [];
    const live = new Map<string, string>();
    const oldest = [...this.#live.keys()].sort()[0] ?? this.#newest;
    let newest = this.#newest;
    const filter = this.#first ? { limit: 100 } : { limit: 20 };
    for await (const task of this.#spool.tasks.list({ ...filter, signal })) {
      if (task.id > newest) newest = task.id;
      const isOver = task.status === 'completed' || task.status === 'failed';
      if (!isOver) live.set(task.id, task.id);
      else if (!this.#first && (task.id > this.#newest || this.#live.has(task.id))) ended.push(task);
      if (task.id <= oldest && !this.#first) break;
      if (this.#first && live.size === 0 && isOver) break;
    }
    this.#live = live;
    this.#newest = newest;
    this.#first = false;
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
