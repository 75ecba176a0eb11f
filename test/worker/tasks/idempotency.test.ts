import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problem as problemSchema } from '../../../schema/api/problem.ts';
import { taskList } from '../../../schema/task/task-list.ts';
import { type Service, startService } from '../../harness.ts';

let service: Service;
const body = {
  video_url: 'https://media.example.com/talk.mp4',
  start: 1,
  duration: 5,
  metadata: { a: '1', b: '2' },
};

beforeAll(async () => {
  // Nothing listens there: tasks stay in line.
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9' });
});
afterAll(() => service.close());

const post = (key: string, name: string, json: unknown = body, path = '/cut') =>
  service.request(path, { key, json, headers: { 'idempotency-key': name } });

async function count(key: string): Promise<number> {
  return taskList.parse(await (await service.request('/tasks?limit=100', { key })).json()).data.length;
}

async function codeOf(response: Response): Promise<string> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  return problemSchema.parse(await response.json()).code;
}

describe('Idempotency-Key', () => {
  it('gives the first answer again for the same body, whatever the order of its fields, and creates nothing', async () => {
    const { id, key } = await service.createAccount('elite');
    const first = await post(key, 'order 7');
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([202, null]);
    const reordered = { metadata: { b: '2', a: '1' }, duration: 5, start: 1.0, video_url: body.video_url };
    const again = await post(key, 'order 7', reordered);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
    const task = (await first.json()) as { id: string };
    expect(await again.json()).toEqual(task);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(again.headers.get('ratelimit')).toMatch(/r=299;/);

    await service.worker.evictDurableObject('Account', { name: id });
    const after = await post(key, 'order 7');
    expect([await after.json(), after.headers.get('idempotent-replayed')]).toEqual([task, 'true']);
    expect(await count(key)).toBe(1);
  });

  it('gives the first answer again although the plan or the subscription has changed', async () => {
    const { id, key } = await service.createAccount('elite');
    const urls = Array.from({ length: 50 }, () => body.video_url);
    const asked: [path: string, json: object][] = [
      ['/cut', body],
      ['/separate', { audio_url: body.video_url }],
      ['/merge_urls', { urls }],
    ];
    const first = [];
    for (const [path, json] of asked) first.push((await post(key, path, json, path)).status);
    expect(first).toEqual([202, 202, 202]);
    const { DB } = await service.bindings();
    const change = async (set: string) => {
      await DB.prepare(`update accounts set ${set} where id = ?`).bind(id).run();
      return Promise.all(
        asked.map(async ([path, json]) => {
          const again = await post(key, path, json, path);
          const fresh = await post(key, `${path} ${set}`, json, path);
          return [again.status, again.headers.get('idempotent-replayed'), fresh.status];
        }),
      );
    };
    expect(await change("plan = 'basic'")).toEqual([
      [202, 'true', 202],
      [202, 'true', 403],
      [202, 'true', 422],
    ]);
    expect(await change("subscription = 'inactive'")).toEqual(asked.map(() => [202, 'true', 402]));
  });

  it('refuses the same key with another body or for another operation', async () => {
    const { key } = await service.createAccount('elite');
    await post(key, 'k');
    const other = await post(key, 'k', { ...body, duration: 6 });
    expect([other.status, await codeOf(other)]).toEqual([422, 'idempotency_conflict']);
    const elsewhere = await post(key, 'k', { url: body.video_url }, '/probe');
    expect(await codeOf(elsewhere)).toBe('idempotency_conflict');
    expect(await count(key)).toBe(1);
  });

  it('creates one task of many requests at once: the others are in flight or replayed', async () => {
    const { key } = await service.createAccount('elite');
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(key, 'burst')));
    const created = answers.filter(
      ({ status, headers }) => status === 202 && !headers.has('idempotent-replayed'),
    );
    expect(created).toHaveLength(1);
    const ids = new Set<string>();
    for (const answer of answers) {
      if (answer.status === 202) ids.add(((await answer.json()) as { id: string }).id);
      else {
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        expect([answer.status, await codeOf(answer)]).toEqual([409, 'idempotency_in_flight']);
      }
    }
    expect(ids.size).toBe(1);
    expect(await count(key)).toBe(1);
  });

  it('belongs to its account', async () => {
    const one = await service.createAccount('elite');
    const two = await service.createAccount('elite');
    const first = (await (await post(one.key, 'same')).json()) as { id: string };
    const second = await post(two.key, 'same', { ...body, duration: 6 });
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([202, null]);
    expect(((await second.json()) as { id: string }).id).not.toBe(first.id);
  });

  it('is not spent by a request that was refused', async () => {
    const { key } = await service.createAccount('basic');
    expect((await post(key, 'again', { ...body, duration: -1 })).status).toBe(422);
    expect((await post(key, 'again')).status).toBe(202);
    for (let index = 0; index < 21; index++) await service.submit('/cut', body, key);
    const full = await post(key, 'late');
    expect(await codeOf(full)).toBe('queue_full');
    const { data } = taskList.parse(await (await service.request('/tasks', { key })).json());
    await service.request(`/task/${data[0]?.id}`, { method: 'DELETE', key });
    const late = await post(key, 'late');
    expect([late.status, late.headers.get('idempotent-replayed')]).toEqual([202, null]);
    // A replay costs no creation and no place in the line.
    expect((await post(key, 'again')).headers.get('idempotent-replayed')).toBe('true');
  });

  it.each(['', 'x'.repeat(256), 'schlüssel'])('that is %j is refused', async (name) => {
    const { key } = await service.createAccount('elite');
    const response = await post(key, name);
    expect(response.status).toBe(422);
    const problem = problemSchema.parse(await response.json());
    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(['/Idempotency-Key']);
  });

  it('is forgotten after 24 hours, and swept away by the next one', async () => {
    const { id, key } = await service.createAccount('elite');
    await post(key, 'old');
    await post(key, 'older');
    const storage = await service.worker.getDurableObjectStorage('Account', { name: id });
    await storage.exec('update idempotency_keys set created_at = created_at - ?', 24 * 3600_000);
    const fresh = await post(key, 'old', { ...body, duration: 6 });
    expect([fresh.status, fresh.headers.get('idempotent-replayed')]).toEqual([202, null]);
    expect(await count(key)).toBe(3);
    const rows = await storage.exec('select key from idempotency_keys');
    expect(rows).toEqual([{ key: 'old' }]);
  });

  it('creates anew only where a restart left no record of the first', async () => {
    const { id, key } = await service.createAccount('elite');
    const first = (await (await post(key, 'crash')).json()) as { id: string };
    const storage = await service.worker.getDurableObjectStorage('Account', { name: id });
    // As a restart between the record and its confirmation leaves it.
    await storage.exec('update idempotency_keys set confirmed = 0');
    const replayed = await post(key, 'crash');
    expect([replayed.headers.get('idempotent-replayed'), await replayed.json()]).toEqual([
      'true',
      expect.objectContaining({ id: first.id }),
    ]);
    // And as one before the record does.
    await service.request(`/task/${first.id}`, { method: 'DELETE', key });
    await storage.exec('update idempotency_keys set confirmed = 0');
    const anew = await post(key, 'crash');
    expect([anew.status, anew.headers.get('idempotent-replayed')]).toEqual([202, null]);
    expect(await count(key)).toBe(1);
  });

  it('works for a tool over MCP, as a header of its request', async () => {
    const { key } = await service.createAccount('elite');
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { 'x-api-key': key, 'idempotency-key': 'tool' } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', service.url), { requestInit }));
    const first = await client.callTool({ name: 'cut', arguments: body });
    const again = await client.callTool({ name: 'cut', arguments: body });
    expect(again.structuredContent).toEqual(first.structuredContent);
    expect(await count(key)).toBe(1);
    await client.close();
  });
});
