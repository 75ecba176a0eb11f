import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorEntry } from '../../schema/api/errors.ts';
import type { Result } from '../../schema/task/wire.ts';
import { fixtures } from '../fixtures/make.ts';
import type { Service } from '../harness.ts';
import { type BillingStand, buy, somebody, startBilling } from '../worker/billing/stand.ts';
import { askForCode, Browser } from '../worker/pages/browser.ts';
import { type PageRoute, pages, pathOf, titleOf } from '../worker/pages/page-routes.ts';
import { rows } from '../worker/pages/rows.ts';
import { writeTask } from '../worker/pages/task-rows.ts';

/** Addresses that are no pages: downloads and streams. */
const noPages = new Set(['/events', '/csv', '/export']);

/** Every page, from the routes themselves: a new one is among them. */
export const everyPage = pages.filter(
  ({ method, path }) => method === 'get' && ![...noPages].some((end) => path.endsWith(end)),
);

export interface PageVisit {
  path: string;
  /** Of the browser that may open it. */
  cookies: { name: string; value: string; url: string }[];
}

export interface Stand {
  service: Service;
  origin: string;
  /** The page in every state that looks different. */
  visits(route: PageRoute): PageVisit[];
  close(): Promise<void>;
}

interface Bucket {
  put(key: string, value: Uint8Array): Promise<unknown>;
}

async function resultOf(service: Service, fixture: string, media_type: string): Promise<Result> {
  const { FILES } = (await service.bindings()) as unknown as { FILES: Bucket };
  const key = `t/${crypto.randomUUID()}/${fixture}`;
  const content = readFileSync(join(fixtures, fixture));
  await FILES.put(key, content);
  const file = { role: 'main', key, file_name: fixture, media_type, file_size: content.length };
  return {
    files: [{ ...file, sha256: '0'.repeat(64) }],
    ...{ duration: 6, width: null, height: null, fps: null },
    data: { language: 'en', words: [{ text: 'one', start: 0, end: 1 }] },
    time_map: [{ source: 0, in: [1.5, 6.5], out: [0, 5] }],
    warnings: [{ code: 'source_vfr', detail: 'The frame rate varies.' }],
  };
}

function failure() {
  const { title, hint, fault, retryable } = errorEntry('source_not_media');
  return {
    ...({ code: 'source_not_media', detail: 'It is a text.', stage: 'analyzing' } as const),
    ...{ title, hint, fault, retryable },
  };
}

/** Tasks in every state. @returns their ids */
async function writeTasks(service: Service, account: string): Promise<string[]> {
  const failed = { status: 'failed', stage: 'analyzing', error: failure() } as const;
  return [
    await writeTask(service, account, { result: await resultOf(service, 'plain.mp4', 'video/mp4') }),
    await writeTask(service, account, {
      ...{ operation: 'separate', result: await resultOf(service, 'sound.mp3', 'audio/mpeg') },
    }),
    await writeTask(service, account, failed),
    await writeTask(service, account, {
      ...({ status: 'processing', stage: 'rendering', progressPercent: 42 } as const),
      metadata: { order: 'a-rather-long-value-without-any-space'.repeat(4) },
    }),
  ];
}

/** Deliveries, an endpoint and usage of a month. */
async function fill(service: Service, account: string, now: number): Promise<void> {
  for (let days = 0; days < 30; days++) {
    const day = new Date(now - days * 24 * 3600_000).toISOString().slice(0, 10);
    const sql = "insert into usage_days values (?, ?, 'cut', ?, 1, 5400, 60, 30, 2000000000, 1500000)";
    await rows(service, sql, account, day, (days * 7) % 11);
  }
  await rows(
    service,
    "insert into webhook_endpoints (id, account_id, url, created_at) values ('whe_1', ?, 'https://hooks.example.com/a/rather/long/path/of/an/endpoint/for/spool', ?)",
    ...[account, now],
  );
  await rows(
    service,
    `insert into webhook_deliveries (id, account_id, event_id, type, url, status, attempts, step, last_attempt_at,
      last_status_code, last_error, created_at)
      values ('whd_1', ?, 'evt_1', 'webhook.test', 'https://hooks.example.com/a/rather/long/path', 'failed', 8, 8, ?, 500, 'http_error', ?)`,
    ...[account, now, now],
  );
}

/** The whole service with an owner whose account has something on every page. */
export async function startEveryPage(): Promise<Stand> {
  const stand: BillingStand = await startBilling({
    ...{ GITHUB_CLIENT_ID: 'a-client', GITHUB_CLIENT_SECRET: 'a-secret-of-a-client' },
  });
  const { service } = stand;
  const { origin } = service.url;
  const owner = await somebody(stand);
  await buy(stand, owner, 'boost');
  const fresh = await somebody(stand);
  const tasks = await writeTasks(service, owner.id);
  await fill(service, owner.id, Date.now());
  for (const [{ id, browser }, email] of [
    [owner, 'invited@example.com'],
    [fresh, owner.email],
  ] as const) {
    await browser.open(`/app/${id}/members`);
    await browser.submit(`/app/${id}/members`, { email, role: 'member' });
  }
  await rows(
    service,
    `insert into passkeys (id, person_id, label, public_key, counter, created_at)
      select 'a-passkey', person_id, 'Laptop', '', 0, 1 from members where account_id = ?`,
    owner.id,
  );
  const visitor = new Browser(service);
  const asked = await askForCode(service, 'visitor@example.com', visitor, '/app');
  const values = { account: owner.id, operation: 'cut', delivery: 'whd_1' };
  const pathsOf = (route: PageRoute): string[] => {
    const path = pathOf(route, { ...values, task: tasks[0] ?? '' });
    if (path === '/app/sign-in/link') return [asked.link.replace(origin, '')];
    if (path === '/app/sign-in/github') return [`${path}?code=a-code&state=a-state`];
    if (route.path.includes(':task')) return tasks.map((task) => pathOf(route, { ...values, task }));
    return path.endsWith('/playground/cut') ? [path, `${path}?task=${tasks[2]}`] : [path];
  };
  const cookiesOf = ({ cookies }: Browser) =>
    [...cookies].map(([name, value]) => ({ name, value, url: origin }));
  return {
    ...{ service, origin },
    visits(route) {
      const cookies = cookiesOf(route.access === 'anyone' ? visitor : owner.browser);
      const home = { path: pathOf(route, { account: fresh.id }), cookies: cookiesOf(fresh.browser) };
      const visits = pathsOf(route).map((path) => ({ path, cookies }));
      return route.path.endsWith('/home') ? [...visits, home] : visits;
    },
    close: stand.close,
  };
}

export { titleOf };
