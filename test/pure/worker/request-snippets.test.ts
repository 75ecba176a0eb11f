import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { pythonPost, typeScriptPost } from '../../../worker/lib/request-snippets.ts';

const folder = mkdtempSync(join(tmpdir(), 'spool-snippets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FILE = 'https://media.example.com/cut.mp4';

/** A service that answers long polls at once, as above the plan's open connections, and limits requests. */
async function busyService() {
  const task = (status: string) => ({ status, status_url: `${url()}/task/1`, output: null, plan: null });
  const ended = () => ({ ...task('completed'), output: { file_url: FILE } });
  const limited = [429, { code: 'rate_limited' }] as const;
  const answers: (readonly [status: number, body: object])[] = [];
  const calls: { call: string; at: number }[] = [];
  const server = createServer((request, response) => {
    calls.push({ call: `${request.method} ${request.url}`, at: performance.now() });
    const [status, body] = answers.shift() ?? [500, {}];
    request.resume();
    const headers = { 'content-type': 'application/json', ...(status === 429 ? { 'retry-after': '2' } : {}) };
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  answers.push([202, task('queued')], [200, task('processing')], limited, [200, ended()]);
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: url(), calls, close };
}

const hasRequests = spawnSync('python3', ['-c', 'import requests']).status === 0;

describe('the sample that waits for a task', () => {
  it.each([
    { language: 'TypeScript', program: process.execPath, name: 'sample.ts', sample: typeScriptPost },
    ...(hasRequests
      ? [{ language: 'Python', program: 'python3', name: 'sample.py', sample: pythonPost }]
      : []),
  ])('in $language pauses where long polls do not wait, and outlasts a limit', async (one) => {
    const service = await busyService();
    try {
      writeFileSync(join(folder, one.name), one.sample(service.url, '/cut', { start: 1 }));
      const env = { ...process.env, SPOOL_API_KEY: 'key' };
      const child = spawn(one.program, [join(folder, one.name)], { env, stdio: ['ignore', 'pipe', 'pipe'] });
      const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
      expect([out.trim(), errors]).toEqual([FILE, '']);
      const poll = 'GET /task/1?wait_seconds=20';
      expect(service.calls.map(({ call }) => call)).toEqual(['POST /cut', poll, poll, poll]);
      const pauses = service.calls.slice(1).map(({ at }, index) => at - (service.calls[index]?.at ?? 0));
      for (const [index, least] of [1000, 1000, 2000].entries())
        expect(pauses[index]).toBeGreaterThan(least - 50);
    } finally {
      service.close();
    }
  });
});
