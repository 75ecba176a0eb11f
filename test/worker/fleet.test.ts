import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Task } from '../../schema/task/task.ts';
import { type Service, sleep, startService, type TestAccount } from '../harness.ts';
import { Machine } from './machine.ts';
import { ownPort } from './own-port.ts';

const cut = { video_url: 'https://media.example.com/talk.mp4', start: 1, duration: 5 };

interface Fleet {
  service: Service;
  machine: Machine;
  port: number;
}

/** A service of its own with a fleet of one machine, which listens unless told otherwise. */
async function withFleet(
  { slots, ms, listens = true }: { slots: number; ms: number; listens?: boolean },
  work: (fleet: Fleet) => Promise<void>,
): Promise<void> {
  const machine = new Machine(slots, ms);
  const port = listens ? await machine.listen() : ownPort();
  const service = await startService({ TRANSCODER_URL: `http://127.0.0.1:${port}` });
  try {
    await work({ service, machine, port });
  } finally {
    await machine.close();
    await service.close();
  }
}

async function submit(service: Service, account: TestAccount, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made++) ids.push((await service.submit('/cut', cut, account.key)).id);
  return ids;
}

const read = (service: Service, id: string, { key }: TestAccount): Promise<Task> => service.task(id, key);

/** At the same time: one of them waits for minutes. */
describe.concurrent('a fleet of one slot', () => {
  it(
    'starts the tasks of each account in order, and takes three accounts in turn',
    {
      timeout: 240_000,
    },
    () =>
      withFleet({ slots: 1, ms: 300 }, async ({ service, machine }) => {
        const accounts = await Promise.all([1, 2, 3].map(() => service.createAccount('boost')));
        const orders = new Map<string, string[]>();
        const of = new Map<string, string>();
        // The first account is there before the others, with everything it has.
        for (const account of accounts) {
          orders.set(account.id, await submit(service, account, 12));
          for (const id of orders.get(account.id) ?? []) of.set(id, account.id);
        }
        for (const account of accounts)
          for (const id of orders.get(account.id) ?? [])
            expect(await service.finished(id, account.key, 200)).toMatchObject({
              ...{ status: 'completed', attempt: 1 },
            });
        const started = machine.jobs.map(({ task_id }) => task_id);
        expect(started).toHaveLength(36);
        for (const ids of orders.values()) expect(started.filter((id) => ids.includes(id))).toEqual(ids);
        const rounds = started.map((id) => of.get(id) ?? '');
        const [last] = accounts.slice(-1);
        const from = rounds.indexOf(last?.id ?? '');
        // From when all three wait until the first has nothing left, each has the same share.
        const together = rounds.slice(from, from + 18);
        for (const { id } of accounts) {
          const share = together.filter((other) => other === id).length;
          expect(share).toBeGreaterThanOrEqual(4);
          expect(share).toBeLessThanOrEqual(8);
        }
        console.log(`refusals: ${machine.refused} for ${started.length} tasks`);
        expect(machine.refused).toBeLessThan(started.length / 4);
      }),
  );
});

describe.concurrent('a fleet that cannot be reached', () => {
  it(
    'for longer than earlier time-outs allowed loses nothing: all tasks wait, say so, and complete',
    {
      timeout: 400_000,
    },
    () =>
      withFleet({ slots: 4, ms: 100, listens: false }, async ({ service, machine, port }) => {
        const [one, two] = [await service.createAccount('elite'), await service.createAccount('basic')];
        const tasks = [
          ...(await submit(service, one, 40)).map((id) => ({ id, account: one })),
          ...(await submit(service, two, 10)).map((id) => ({ id, account: two })),
        ];
        // At first the port is closed; later the connection is dropped.
        await sleep(60_000);
        let knocks = 0;
        const rude = createServer((socket) => {
          knocks += 1;
          socket.destroy();
        });
        rude.listen(port, '127.0.0.1');
        await once(rude, 'listening');
        await sleep(60_000);
        for (const [place, { id, account }] of tasks.slice(0, 40).entries())
          expect(await read(service, id, account)).toMatchObject({
            ...{
              status: 'queued',
              stage: 'waiting',
              queue_position: place + 1,
              started_at: null,
              attempt: 0,
            },
          });
        await new Promise((resolve) => rude.close(resolve));
        console.log(`knocks in 60 s: ${knocks}`);
        expect(knocks).toBeLessThan(20);
        await machine.listen(port);
        for (const { id, account } of tasks) {
          const task = await service.finished(id, account.key, 180);
          expect(task.error).toBeNull();
          expect(task).toMatchObject({ status: 'completed', attempt: 1 });
        }
        expect(machine.jobs.map(({ task_id }) => task_id)).toHaveLength(tasks.length);
        const { DB } = await service.bindings();
        expect((await DB.prepare('select queue from dead_letters').bind().all()).results).toEqual([]);
      }),
  );
});
