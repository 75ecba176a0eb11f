import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type StatusReport, statusReport } from '../../schema/api/status.ts';
import { type TranscoderReady, WIRE_VERSION } from '../../schema/task/wire.ts';
import { type Service, startService } from '../harness.ts';
import { ownPort } from './own-port.ts';
import { measured, type Statement } from './records-at-scale.ts';

const DAY_MS = 24 * 3600_000;
const SHOWN = { timeout: 20_000, interval: 500 };

const ready: TranscoderReady = {
  ...({ v: WIRE_VERSION, status: 'ready', version: '1.2.3', engine: 'node-av' } as const),
  ...({ ffmpeg_version: '7.1.5', sandbox: 'bwrap', programs: {}, slots: 1, busy: 0 } as const),
};

/** Stands where a fleet answers; the tests stop it and start it again at the same port. */
let fleet: Server;
const port = ownPort();
let service: Service;

async function startFleet(): Promise<void> {
  fleet = createServer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json', connection: 'close' })
      .end(JSON.stringify(ready)),
  );
  fleet.listen(port, '127.0.0.1');
  await once(fleet, 'listening');
}
const stopFleet = () => new Promise((resolve) => fleet.close(resolve));

beforeAll(async () => {
  await startFleet();
  service = await startService(
    { TRANSCODER_URL: `http://127.0.0.1:${port}` },
    { entry: 'test/worker/stopped-parts-worker.ts' },
  );
});
afterAll(async () => {
  await service.close();
  await stopFleet();
});
beforeEach(async () => {
  await stop();
  await expect
    .poll(async () => (await status()).parts.map(({ state }) => state), SHOWN)
    .not.toContain('down');
});

const stop = (...parts: string[]) => service.request('/stopped', { json: parts });
const rowsOf = <T>(sql: string, ...params: unknown[]) =>
  measured<T>(service, { sql, params }).then(({ rows }) => rows);

async function status(): Promise<StatusReport> {
  const response = await service.request('/status.json');
  expect(response.status).toBe(200);
  return statusReport.parse(await response.json());
}

async function partsIn(state: string): Promise<string[]> {
  return (await status()).parts.filter((part) => part.state === state).map(({ name }) => name);
}

async function pageText(): Promise<string> {
  const response = await service.request('/status', { headers: { accept: 'text/html' } });
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'public, max-age=5']);
  return response.text();
}

/** One run of the cron. Its outcome is that of all sweeps together. */
async function probe(at = Date.now(), expected = 'ok'): Promise<void> {
  const { outcome } = await service.worker.scheduled({ scheduledTime: new Date(at), cron: '*/5 * * * *' });
  expect(outcome).toBe(expected);
}

it('probes every part that answers, and folds the probes into a row a day and part', async () => {
  const at = Date.now();
  await probe(at);
  const day = new Date(at).toISOString().slice(0, 10);
  expect(await rowsOf('select part, ok from status_probes where at = ? order by part', at)).toEqual(
    ['database', 'queue', 'storage', 'transcoder'].map((part) => ({ part, ok: 1 })),
  );
  const days = await rowsOf('select * from status_days where day = ? and part = ?', day, 'queue');
  expect(days).toMatchObject([{ probes: 1, failed: 0, last_at: at, last_ok: 1, overhead_p50_ms: null }]);
  await expect.poll(() => partsIn('up'), SHOWN).toEqual(['database', 'storage', 'queue', 'transcoder']);
  expect(await pageText()).toContain('All parts work');
  expect(await pageText()).toContain('100.00 % of probes succeeded in one day');
});

it('says that the transcoder does not answer, and that it does again', async () => {
  await stopFleet();
  await expect.poll(() => partsIn('down'), SHOWN).toEqual(['transcoder']);
  expect(await pageText()).toContain('Does not work now: Transcoder');
  await probe();
  await startFleet();
  await expect.poll(() => partsIn('down'), SHOWN).toEqual([]);
  const [row] = await rowsOf<{ failed: number }>("select failed from status_days where part = 'transcoder'");
  expect(row?.failed).toBe(1);
});

it.each(['DB', 'DB hangs'])(
  'answers without the database (%s), and shows the history again after it',
  async (how) => {
    await stop(how);
    const began = Date.now();
    await expect.poll(() => partsIn('down'), SHOWN).toEqual(['database']);
    await expect.poll(async () => (await status()).incidents, SHOWN).toBeNull();
    const text = await pageText();
    expect(text).toContain('Does not work now: Database');
    expect(text).toContain('The history is not available, because the database does not answer.');
    expect((await service.request('/status.atom')).status).toBe(503);
    expect(Date.now() - began).toBeLessThan(30_000);
    await stop();
    await expect.poll(() => partsIn('down'), SHOWN).toEqual([]);
    await expect.poll(async () => (await status()).incidents, SHOWN).toEqual([]);
    expect((await service.request('/status.atom')).status).toBe(200);
  },
);

it.each(['FILES', 'FILES hangs'])('answers without the object storage (%s)', async (how) => {
  await stop(how);
  await expect.poll(() => partsIn('down'), SHOWN).toEqual(['storage']);
  expect(await pageText()).toContain('Does not work now: Object storage');
  await stop();
  await expect.poll(() => partsIn('down'), SHOWN).toEqual([]);
});

it('records later what was found while the database did not answer, and nothing of the queue while the storage did not', async () => {
  const [first, second, third] = [Date.now() - 3000, Date.now() - 2000, Date.now() - 1000];
  await stop('DB');
  await probe(first, 'exception');
  await stop('FILES');
  await probe(second);
  await stop();
  await probe(third);
  const found = await rowsOf<{ at: number; part: string; ok: number }>(
    'select at, part, ok from status_probes where at in (?, ?, ?) order by at, part',
    ...[first, second, third],
  );
  const of = (at: number) =>
    Object.fromEntries(found.filter((row) => row.at === at).map(({ part, ok }) => [part, ok]));
  expect(of(first)).toEqual({ database: 0, queue: 1, storage: 1, transcoder: 1 });
  expect(of(second)).toEqual({ database: 1, storage: 0, transcoder: 1 });
  expect(of(third)).toEqual({ database: 1, queue: 1, storage: 1, transcoder: 1 });
});

it('keeps what was found in an outage of the database whose notes cannot be read for a while', async () => {
  const [first, second, third] = [Date.now() - 3000, Date.now() - 2000, Date.now() - 1000];
  await stop('DB');
  await probe(first, 'exception');
  await stop('DB', 'FILES get');
  await probe(second, 'exception');
  await stop();
  await probe(third);
  const found = await rowsOf<{ ok: number }>(
    "select ok from status_probes where at = ? and part = 'database'",
    first,
  );
  expect(found).toEqual([{ ok: 0 }]);
});

it('records what it finds within seconds while the storage hangs, whatever else waits for it', async () => {
  await stop('FILES hangs');
  const at = Date.now() + 1;
  const running = probe(at);
  const found = () => rowsOf('select part, ok from status_probes where at = ? order by part', at);
  await expect.poll(found, { timeout: 40_000 }).toEqual([
    { part: 'database', ok: 1 },
    { part: 'storage', ok: 0 },
    { part: 'transcoder', ok: 1 },
  ]);
  await stop();
  await running;
});

it('probes every part in each of two runs at the same time', async () => {
  const at = Date.now();
  await Promise.all([probe(at), probe(at + 300_000)]);
  const found = await rowsOf(
    'select part from status_probes where at in (?, ?) and ok = 1 order by part',
    ...[at, at + 300_000],
  );
  const parts = ['database', 'queue', 'storage', 'transcoder'];
  expect(found).toEqual(parts.flatMap((part) => [{ part }, { part }]));
});

it('reads a row a day and part for a page view, and none for the next ones', async () => {
  await rowsOf(
    `with recursive n(n) as (select 0 union all select n + 1 from n where n < 120)
     insert or replace into status_days select date(?1 / 1000 - n * 86400, 'unixepoch'), value, 288, n % 7 = 0, ?1, 1, 100, 200
     from n, json_each('["database","storage","queue","transcoder","task"]')`,
    Date.now(),
  );
  // Until the history that the isolate knows is old.
  await new Promise((resolve) => setTimeout(resolve, 11_000));
  await service.request('/statements');
  for (let views = 0; views < 20; views++) await pageText();
  const asked = ((await (await service.request('/statements')).json()) as Statement[]).filter(({ sql }) =>
    /status_days|incidents/.test(sql),
  );
  expect(asked).toHaveLength(2);
  let rowsRead = 0;
  for (const statement of asked) rowsRead += (await measured(service, statement)).rowsRead;
  console.log(`rows read per view: ${rowsRead}`);
  expect(rowsRead).toBeLessThanOrEqual(5 * 90 + 5);
  const { parts } = await status();
  expect(parts.map(({ days }) => days?.length)).toEqual([90, 90, 90, 90, 90]);
});

it('deletes what is older than 90 days, and probes older than two', async () => {
  const now = Date.now();
  const insertIncident = "insert into incidents values (?, 'x', null, ?, ?, '[]')";
  await rowsOf(insertIncident, 'inc_old', now - 200 * DAY_MS, now - 91 * DAY_MS);
  await rowsOf(insertIncident, 'inc_open', now - 200 * DAY_MS, null);
  await rowsOf("insert into status_probes values (?, 'task', 1, 5)", now - 4 * DAY_MS);
  await probe(now);
  expect(await rowsOf('select count(distinct day) as days from status_days')).toEqual([{ days: 90 }]);
  expect(await rowsOf('select id from incidents')).toEqual([{ id: 'inc_open' }]);
  expect(await rowsOf('select 1 from status_probes where at < ?', now - 3 * DAY_MS)).toEqual([]);
  await rowsOf('delete from incidents');
});
