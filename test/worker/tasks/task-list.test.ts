import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problem as problemSchema } from '../../../schema/api/problem.ts';
import type { Task } from '../../../schema/task/task.ts';
import { type TaskList, taskList } from '../../../schema/task/task-list.ts';
import { type Service, startService } from '../../harness.ts';

let service: Service;
const url = 'https://media.example.com/talk.mp4';

beforeAll(async () => {
  // Nothing listens there: tasks stay in line.
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9' });
});
afterAll(() => service.close());

async function list(key: string, query: Record<string, string> = {}): Promise<TaskList> {
  const response = await service.request(`/tasks?${new URLSearchParams(query)}`, { key });
  expect(response.status).toBe(200);
  return taskList.parse(await response.json());
}

async function create(key: string, count: number): Promise<Task[]> {
  const tasks: Task[] = [];
  for (let index = 0; index < count; index++) {
    const path = index % 2 === 0 ? '/cut' : '/probe';
    const body = index % 2 === 0 ? { video_url: url, duration: 1 } : { url };
    tasks.push(await service.submit(path, { ...body, metadata: { number: String(index) } }, key));
  }
  return tasks;
}

const numbers = ({ data }: TaskList) => data.map(({ metadata }) => Number(metadata.number));

describe('GET /tasks', () => {
  it('is an empty list for an account without tasks, and nothing without a key', async () => {
    const { key } = await service.createAccount('elite');
    expect(await list(key)).toEqual({ object: 'list', data: [], has_more: false, next_cursor: null });
    expect((await service.request('/tasks')).status).toBe(401);
  });

  it('gives whole tasks, the newest first, and none of another account', async () => {
    const mine = await service.createAccount('elite');
    const other = await service.createAccount('elite');
    const tasks = await create(mine.key, 3);
    await create(other.key, 2);
    const page = await list(mine.key);
    expect(numbers(page)).toEqual([2, 1, 0]);
    const read = await (await service.request(`/task/${tasks[0]?.id}`, { key: mine.key })).json();
    expect(page.data[2]).toEqual(read);
    const strangers = await list(other.key, { limit: '1' });
    const across = await list(mine.key, { cursor: strangers.next_cursor ?? '' });
    expect(across.data.every(({ id }) => tasks.some((task) => task.id === id))).toBe(true);
  });

  it('pages through all without doubles or gaps while tasks are created and change', async () => {
    const { id, key } = await service.createAccount('elite');
    await create(key, 11);
    const { DB } = await service.bindings();
    // Of one millisecond, as a burst makes them.
    await DB.prepare('update tasks set created_at = (select min(created_at) from tasks) where account_id = ?')
      .bind(id)
      .run();
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: TaskList = await list(key, { limit: '3', ...(cursor ? { cursor } : {}) });
      expect(page.has_more).toBe(page.next_cursor !== null);
      seen.push(...page.data.map((task) => task.id));
      cursor = page.next_cursor;
      await create(key, 1);
      await DB.prepare("update tasks set status = 'failed' where account_id = ? and id = ?")
        .bind(id, seen.at(-1))
        .run();
    } while (cursor);
    expect(seen).toHaveLength(11);
    expect(new Set(seen).size).toBe(11);
  });

  it('filters by status, operation and time, each and together', async () => {
    const { id, key } = await service.createAccount('elite');
    const tasks = await create(key, 6);
    const { DB } = await service.bindings();
    for (const [index, task] of tasks.entries()) {
      await DB.prepare('update tasks set created_at = ? where account_id = ? and id = ?')
        .bind(Date.UTC(2026, 10, 1 + index), id, task.id)
        .run();
    }
    await DB.prepare("update tasks set status = 'failed' where id in (?, ?)")
      .bind(tasks[1]?.id, tasks[2]?.id)
      .run();
    expect(numbers(await list(key, { status: 'failed' }))).toEqual([2, 1]);
    expect(numbers(await list(key, { operation: 'cut' }))).toEqual([4, 2, 0]);
    expect(numbers(await list(key, { operation: 'cut', status: 'failed' }))).toEqual([2]);
    expect(numbers(await list(key, { created_after: '2026-11-02T00:00:00Z' }))).toEqual([5, 4, 3, 2]);
    expect(numbers(await list(key, { created_before: '2026-11-02T01:00:00+02:00' }))).toEqual([0]);
    const between = { created_after: '2026-11-01T12:00:00Z', created_before: '2026-11-05T00:00:00Z' };
    const first = await list(key, { ...between, limit: '2' });
    expect(numbers(first)).toEqual([3, 2]);
    expect(numbers(await list(key, { ...between, cursor: first.next_cursor ?? '' }))).toEqual([1]);
    expect(numbers(await list(key, { limit: '100' }))).toEqual([5, 4, 3, 2, 1, 0]);
  });

  it.each([
    ['limit=0', '/limit'],
    ['limit=101', '/limit'],
    ['limit=1.5', '/limit'],
    ['limit=ten', '/limit'],
    ['limit=', '/limit'],
    ['status=done', '/status'],
    ['status=failed&status=queued', '/status'],
    ['operation=paint', '/operation'],
    ['created_after=yesterday', '/created_after'],
    ['created_before=2026-11-20T10:00:00', '/created_before'],
    ['created_after=2026-11-20T10:00:00Z&created_before=2026-11-19T10:00:00Z', '/created_after'],
    ['cursor=nonsense', '/cursor'],
    ['page=2', '/page'],
  ])('refuses ?%s with a pointer to it', async (query, pointer) => {
    const { key } = service.accounts.elite;
    const response = await service.request(`/tasks?${query}`, { key });
    expect(response.status).toBe(422);
    const problem = problemSchema.parse(await response.json());
    expect(problem.code).toBe('validation_failed');
    expect(problem.errors?.map((error) => error.pointer)).toEqual([pointer]);
  });

  it('is a tool over MCP too', async () => {
    const { key } = await service.createAccount('elite');
    await create(key, 3);
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { 'x-api-key': key } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', service.url), { requestInit }));
    const answer = await client.callTool({ name: 'list_tasks', arguments: { operation: 'cut', limit: 1 } });
    expect(answer.structuredContent).toMatchObject({
      data: [{ tool: 'cut_video', metadata: { number: '2' } }],
      has_more: true,
    });
    await client.close();
  });
});
