import { drizzle } from 'drizzle-orm/d1';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationNames } from '../../../schema/operations/index.ts';
import type { Task } from '../../../schema/task/task.ts';
import { accountsRepo } from '../../../worker/repos/accounts.ts';
import { archiveRepo, type Bucket } from '../../../worker/repos/archive.ts';
import { retentionRepo } from '../../../worker/repos/retention.ts';
import { SEARCHED } from '../../../worker/repos/task-list.ts';
import { archiveTasks } from '../../../worker/services/maintenance/archive-tasks.ts';
import { type Service, startService } from '../../harness.ts';
import { pageCost, writeTasks } from '../records-at-scale.ts';
import { somebody } from './somebody.ts';
import { writeTask } from './task-rows.ts';

const DAY_MS = 24 * 3600_000;
const PER_PAGE = 25;
const TASKS = 10_000;
const now = Date.now();

let service: Service;

beforeAll(async () => {
  const vars = { TRANSCODER_URL: 'http://127.0.0.1:9', MAIL: 'outbox', SIGN_UP: 'trial' };
  service = await startService(vars, { entry: 'test/worker/recording-worker.ts' });
});
afterAll(() => service.close());

async function lister() {
  const one = await somebody(service);
  return { ...one, home: `${one.account}/home`, tasks: `${one.account}/tasks` };
}
type Lister = Awaited<ReturnType<typeof lister>>;

const idsIn = (text: string) => [...text.matchAll(/\/tasks\/(task_\w+)"/g)].map(([, id]) => id ?? '');

/** The tasks of all pages, and how many pages there were. */
async function walk({ browser, tasks }: Lister, query = '') {
  const ids: string[] = [];
  let pages = 0;
  for (let path: string | undefined = `${tasks}${query}`; path; ) {
    expect((await browser.open(path)).status).toBe(200);
    ids.push(...idsIn(browser.text));
    path = /rel="next" href="([^"]*)"/.exec(browser.text)?.[1]?.replaceAll('&amp;', '&');
    pages += 1;
  }
  return { ids, pages };
}

async function costOf({ browser }: Lister, path: string) {
  const { status, statements, rowsRead } = await pageCost(service, browser, path);
  expect(status).toBe(200);
  expect(statements.filter(({ sql }) => /^(insert|update|delete)/i.test(sql))).toEqual([]);
  return { queries: statements.length, rowsRead };
}

/** Moves ended tasks without files into the archive, as the sweeper does. */
async function archive(): Promise<void> {
  const { DB, FILES } = (await service.bindings()) as unknown as {
    DB: Parameters<typeof drizzle>[0];
    FILES: Bucket;
  };
  const bucket = { get: FILES.get.bind(FILES), put: FILES.put.bind(FILES), delete: FILES.delete.bind(FILES) };
  const db = drizzle(DB);
  const archiving = {
    archive: archiveRepo(db, bucket),
    retention: retentionRepo(db),
    accounts: accountsRepo(db),
  };
  while (await archiveTasks(archiving as never, now));
}

describe('the list of tasks', () => {
  it('shows every task once over its pages, newest first', async () => {
    const one = await lister();
    const made: string[] = [];
    for (let index = 0; index < 2 * PER_PAGE + 5; index++) {
      made.unshift(await writeTask(service, one.id, { createdAt: now - 1000_000 + index * 1000 }));
    }
    expect(await walk(one)).toEqual({ ids: made, pages: 3 });
  });

  it('has failed tasks of an earlier version, whose inputs had other fields', async () => {
    const one = await lister();
    const error: Task['error'] = {
      ...{
        code: 'source_http_error' as const,
        title: 'The source failed',
        detail: 'It answered with status 404.',
      },
      ...{ hint: 'Check the URL.', doc_url: 'https://spool.example.com/docs', fault: 'source' as const },
      ...{ retryable: false, stage: 'fetching' as const, source_index: 0 },
    };
    const made: string[] = [];
    for (const operation of operationNames)
      for (const input of [{}, { urls: null, media: 1, sources: 'x' }])
        made.unshift(
          await writeTask(service, one.id, { operation, status: 'failed', input, error, createdAt: now }),
        );
    expect((await walk(one, '?status=failed')).ids.toSorted()).toEqual(made.toSorted());
    for (const id of made.slice(0, 4))
      expect((await one.browser.open(`${one.tasks}/${id}`)).status).toBe(200);
  });

  it('is filtered by status, operation and day, and says so where nothing fits', async () => {
    const one = await lister();
    const day = Date.parse('2026-03-05');
    const cut = await writeTask(service, one.id, { createdAt: day + DAY_MS - 1 });
    const crop = await writeTask(service, one.id, { operation: 'crop', createdAt: day });
    const failed = await writeTask(service, one.id, { status: 'failed', createdAt: day - 1 });
    const running = await writeTask(service, one.id, { status: 'processing', createdAt: day + DAY_MS });
    for (const [query, expected] of [
      ['?status=failed', [failed]],
      ['?operation=crop', [crop]],
      ['?operation=cut&status=completed', [cut]],
      ['?from=2026-03-05&to=2026-03-05', [cut, crop]],
      ['?from=2026-03-06', [running]],
      ['?to=2026-03-04', [failed]],
      ['?status=queued', []],
    ] as const) {
      expect([query, (await walk(one, query)).ids]).toEqual([query, expected]);
    }
    expect(one.browser.text).toContain('No task fits this filter.');
    for (const query of ['?status=x', '?from=yesterday', '?cursor=x', '?value=x', '?operation=toString']) {
      expect([query, (await one.browser.open(one.tasks + query)).status]).toEqual([query, 422]);
      expect(one.browser.text).toContain('This filter is not valid.');
    }
  });

  it('is searched by metadata, in the database and in the archive alike', async () => {
    const one = await lister();
    const old = now - 30 * DAY_MS;
    const made: string[] = [];
    for (let day = 0; day < 20; day++) {
      const about = { status: 'failed', metadata: { order: String(day % 2), 'a "key"': `v${day}` } } as const;
      made.unshift(await writeTask(service, one.id, { ...about, createdAt: old + day * DAY_MS }));
    }
    await archive();
    const fresh = await writeTask(service, one.id, { metadata: { order: '1' } });
    const even = made.filter((_, index) => index % 2 === 1);
    const odd = made.filter((_, index) => index % 2 === 0);
    expect((await walk(one, '?key=order&value=1')).ids).toEqual([fresh, ...odd]);
    expect((await walk(one, '?key=order&value=0')).ids).toEqual(even);
    expect((await walk(one, '?key=order')).ids).toEqual([fresh, ...made]);
    expect((await walk(one, '?key=order&value=1&status=completed')).ids).toEqual([fresh]);
    expect((await walk(one, `?${new URLSearchParams({ key: 'a "key"', value: 'v7' })}`)).ids).toEqual([
      made[12],
    ]);
    expect((await walk(one, '?key=toString')).ids).toEqual([]);
    // More days than a page of a search looks at.
    expect((await walk(one, '?key=order&value=0')).pages).toBe(2);
  });
});

describe(`with ${TASKS} tasks`, () => {
  let one: Lister;
  const costs: string[] = [];

  beforeAll(async () => {
    one = await lister();
    const account = { id: one.id, key: '', keyId: '' };
    await writeTasks(service, account, { ended: TASKS, waiting: 20, until: now });
  }, 120_000);
  afterAll(() => console.log(costs.join('\n')));

  // Session, membership, a page of tasks, the line if one of them waits, the chunks of the archive.
  const FEW = 5;
  const PEOPLE_ROWS = 20;

  it.each([
    ['', PER_PAGE + 20],
    ['?status=failed', PER_PAGE],
    ['?operation=probe&status=failed', PER_PAGE],
    ['?from=2020-01-01&to=2090-01-01', PER_PAGE + 20],
    ['?key=number&value=77', SEARCHED * 3],
    ['?key=nothing', SEARCHED * 3],
  ])('a page with the filter %s asks little of the database', async (query, rows) => {
    const cost = await costOf(one, one.tasks + query);
    costs.push(`GET /app/…/tasks${query}: ${cost.queries} statements, ${cost.rowsRead} rows`);
    expect(cost.queries).toBeLessThanOrEqual(FEW + (query.includes('key') ? 2 : 0));
    expect(cost.rowsRead).toBeLessThanOrEqual(rows + PEOPLE_ROWS);
  });

  it('Home asks little of the database', async () => {
    const cost = await costOf(one, one.home);
    costs.push(`GET /app/…/home: ${cost.queries} statements, ${cost.rowsRead} rows`);
    expect(cost.queries).toBeLessThanOrEqual(13);
    expect(cost.rowsRead).toBeLessThanOrEqual(120);
  });

  it('a search reaches every task, a bounded number of them a page', async () => {
    const { pages, ids } = await walk(one, '?key=number&value=77');
    expect(ids).toHaveLength(1);
    expect(pages).toBe(Math.ceil((TASKS + 20) / SEARCHED));
  });
});
