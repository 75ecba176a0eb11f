import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, callsOf, closeStand, failNext, rows, service, startStand } from './stand.ts';

beforeAll(() => startStand());
afterAll(closeStand);

const cut = { video_url: 'https://media.example.com/talk.mp4', start: 1, duration: 5 };
const tasksOf = ({ id }: { id: string }) =>
  rows<{ id: string }>('select id from tasks where account_id = ? order by id', id);

describe('a task whose account does not answer the request that creates it', () => {
  it.each([
    ['after', 'without a key', {}],
    ['after', 'with a key', { 'idempotency-key': 'one' }],
    ['before', 'without a key', {}],
  ] as const)('(%s the call) is created once %s, and the answer names it', async (mode, _, headers) => {
    const account = await service.createAccount('elite');
    await failNext(account, 'DO ACCOUNT.submit', mode);
    const response = await ask('/cut', account, { json: cut, headers });
    expect(response.status).toBe(202);
    const { id } = (await response.json()) as { id: string };
    expect(await callsOf(account)).toContainEqual({ label: 'DO ACCOUNT.submit', fault: mode });
    expect(await tasksOf(account)).toEqual([{ id }]);
    const used = (await (await ask('/account', account)).json()) as { rate_limit?: unknown };
    expect(used).toMatchObject({ used: { running: expect.any(Number) } });
  });

  it('is created once where three answers in a row are lost', async () => {
    const account = await service.createAccount('elite');
    await failNext(account, 'DO ACCOUNT.submit', 'after', 3);
    const response = await ask('/cut', account, { json: cut });
    expect(response.status).toBe(202);
    expect(await tasksOf(account)).toEqual([{ id: ((await response.json()) as { id: string }).id }]);
  });

  it('does not exist where its record could not be confirmed, and the answer says 503', async () => {
    const account = await service.createAccount('elite');
    await failNext(account, 'D1 batch insert into "tasks"', 'after');
    expect((await ask('/cut', account, { json: cut })).status).toBe(503);
    await expect.poll(() => tasksOf(account), { timeout: 10_000 }).toEqual([]);
    expect((await ask('/cut', account, { json: cut })).status).toBe(202);
    expect(await tasksOf(account)).toHaveLength(1);
  });
});
