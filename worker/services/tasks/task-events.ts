import type { Context } from '../../context.ts';
import { eventText, heartbeatText, retryText } from '../../lib/event-stream.ts';
import { errorText, log } from '../../lib/log.ts';
import { Problem } from '../../lib/problem.ts';
import type { Caller } from '../../repos/keys.ts';
import type { TaskView } from '../../repos/task-row.ts';
import { taskView } from './task-view.ts';

const HEARTBEAT_MS = 15_000;
/** Minimum interval between events, and the reconnect delay of clients. */
const PACE_MS = 1000;
/** A request may make a thousand calls to other services. A stream ends before that, and its client reconnects. */
const STREAM_MS = 4 * 60_000;

/** The state that an event represents: states with the same id are not distinguished. */
const eventId = ({ attempt, status, stage, progressPercent }: TaskView) =>
  `${attempt}-${status}-${stage}-${progressPercent}`;

/** The last two end the stream. */
type TaskEventName = 'task.updated' | 'task.completed' | 'task.failed';

const eventName = ({ status }: TaskView): TaskEventName =>
  status === 'completed' || status === 'failed' ? `task.${status}` : 'task.updated';

/** An account that watches a task, by a key or in the dashboard. */
interface Watcher extends Pick<Caller, 'accountId' | 'plan'> {
  /** Whether the key or session still gives access; asked before every event. */
  isAllowed: () => Promise<boolean>;
}

/**
 * The changes of a task as Server-Sent Events, until it has ended. Each event contains the whole task, so a client that missed
 * some has lost nothing. `lastEventId` is the last event that the client received.
 * @returns null if the client already has the final event
 * @throws Problem rate_limited (the plan's limit of open connections is reached)
 */
export async function taskEvents(
  context: Context,
  { accountId, plan, isAllowed }: Watcher,
  task: TaskView,
  lastEventId: string | undefined,
): Promise<ReadableStream<Uint8Array> | null> {
  if (eventName(task) !== 'task.updated' && eventId(task) === lastEventId) return null;
  const watch = await context.account(accountId).watch(plan, task.id);
  if (!watch) {
    throw new Problem(
      'rate_limited',
      'The number of open long polls and event streams has reached the limit of your plan. Close one of them first.',
      {
        headers: { 'retry-after': '10' },
      },
    );
  }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  const send = (text: string) => writer.write(encoder.encode(text));

  let over = false;
  // A timer instead of the clock, because the clock may be set while the stream is open.
  const timer = setTimeout(() => {
    over = true;
  }, STREAM_MS);

  const run = async () => {
    let known = lastEventId;
    let current: TaskView | null = task;
    await send(retryText(PACE_MS));
    while (current && !over) {
      const id = eventId(current);
      const event = eventName(current);
      if (id === known) await send(heartbeatText);
      else await send(eventText({ id, event, data: await taskView(context.config, current) }));
      if (event !== 'task.updated') return;
      known = id;
      await Promise.all([watch.next(current.status, HEARTBEAT_MS, 'progress'), scheduler.wait(PACE_MS)]);
      // Read even without a notification, to find changes between the last read and the start of the watch.
      const [now, allowed] = await Promise.all([context.tasks.read(accountId, task.id), isAllowed()]);
      // The client gets the error when it reconnects.
      if (!allowed) return;
      current = now;
    }
    if (current) return;
    const data = { object: 'task', id: task.id, deleted: true };
    await send(eventText({ id: 'deleted', event: 'task.deleted', data }));
  };
  const finish = async () => {
    try {
      await run();
    } catch (error) {
      // The client is gone, or the account's object has moved; a client that still listens reconnects.
      log('info', 'events_ended', { task_id: task.id, error: errorText(error) });
    } finally {
      clearTimeout(timer);
      watch[Symbol.dispose]();
      await writer.close().catch(() => {});
    }
  };
  void finish();
  return readable;
}
