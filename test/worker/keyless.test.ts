import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../schema/operations/index.ts';
import { type TranscoderReady, WIRE_VERSION } from '../../schema/task/wire.ts';
import { exampleOf, type Service, startService } from '../harness.ts';
import { fill, routes } from '../security/routes.ts';

const said: TranscoderReady = {
  v: WIRE_VERSION,
  status: 'ready',
  version: '1.2.3',
  engine: 'node-av',
  ffmpeg_version: '7.1.5',
  engines: [{ id: 'flite', available: true, reason: null }],
  sandbox: 'bwrap',
  programs: {},
  slots: 1,
  busy: 0,
};

interface Ready {
  status: string;
  checks: { transcoder: { ok: boolean | null; checked_at: string | null; engine?: string } };
}

const readyOf = async (service: Service) => (await (await service.request('/readyz')).json()) as Ready;

/** As many requests without a key as it says, over every GET route, half of them at once. */
async function askAll(service: Service, times: number): Promise<void> {
  const paths = routes
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => fill(path, () => `task_${'0'.repeat(26)}`));
  const ask = async (path: string) => {
    await (await service.request(path)).body?.cancel();
  };
  for (let time = 0; time < times; time++) await Promise.all(paths.map(ask));
  const costly = Array.from({ length: 200 }, (_, index) => (index % 2 ? '/readyz' : '/capabilities'));
  await Promise.all(costly.map(ask));
}

describe('containers', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ TRANSCODER_URL: '' }, { entry: 'test/worker/keyless-worker.ts' });
  });
  afterAll(() => service.close());

  const containerRequests = async () =>
    ((await (await service.request('/containers')).json()) as { requests: number }).requests;

  it('are asked for nothing by whoever has no key', async () => {
    expect(await readyOf(service)).toMatchObject({
      status: 'ready',
      checks: { transcoder: { ok: null, checked_at: null } },
    });
    await askAll(service, 3);
    expect(await containerRequests()).toBe(0);
    const { key } = service.accounts.elite;
    await service.submit('/cut', exampleOf(operations.cut), key);
    await expect.poll(containerRequests, { timeout: 20_000 }).toBeGreaterThan(0);
  });

  it('are known by what they said when they were awake', async () => {
    const checkedAt = Date.now() - 3600_000;
    /** The Worker as it is after this was written; an isolate remembers what it has read for half a minute. */
    const readyAfter = async (text: string) => {
      const { FILES } = await service.bindings();
      await FILES.put('service/transcoder.json', text);
      await service.restart();
      return readyOf(service);
    };
    const checked_at = new Date(checkedAt).toISOString();
    expect(await readyAfter(JSON.stringify({ checkedAt, said }))).toMatchObject({
      status: 'ready',
      checks: { transcoder: { ok: true, engine: 'node-av', checked_at } },
    });
    const capabilities = await (await service.request('/capabilities')).json();
    expect(capabilities).toMatchObject({ engine: 'node-av' });
    expect(await readyAfter(JSON.stringify({ checkedAt, said: null }))).toMatchObject({
      status: 'not_ready',
      checks: { transcoder: { ok: false, checked_at } },
    });
    const { checks } = await readyAfter('{"of":"another version"}');
    expect(checks.transcoder.ok).toBeNull();
  });
});

describe('a fleet', () => {
  let asked = 0;
  let status = 200;
  const server = createServer((request, response) => {
    if (request.url === '/readyz') asked += 1;
    setTimeout(() => response.writeHead(status).end(JSON.stringify(said)), 100);
  });
  let service: Service;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    service = await startService({ TRANSCODER_URL: `http://127.0.0.1:${port}` });
  });
  afterAll(async () => {
    await service.close();
    server.close();
  });

  it('is asked once in a few seconds, whoever asks how often', async () => {
    const began = Date.now();
    await askAll(service, 3);
    const seconds = (Date.now() - began) / 1000;
    expect(asked).toBeGreaterThan(0);
    // Every five seconds; every second where a busy machine takes three to answer.
    expect(asked).toBeLessThanOrEqual(1 + Math.ceil(seconds));
    await expect
      .poll(async () => (await readyOf(service)).checks.transcoder)
      .toMatchObject({ ok: true, engine: 'node-av' });
  });

  it('is found to be gone, and to be back', async () => {
    status = 500;
    await expect.poll(async () => (await readyOf(service)).status, { timeout: 20_000 }).toBe('not_ready');
    status = 200;
    await expect.poll(async () => (await readyOf(service)).status, { timeout: 20_000 }).toBe('ready');
  });
});
