import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { problem } from '../../schema/api/problem.ts';
import { type EngineId, engineIds, engineOf } from '../../schema/media/engines.ts';
import { newId } from '../../schema/task/ids.ts';
import { MAX_JOB_BYTES, transcoderReady } from '../../schema/task/wire.ts';
import {
  begin,
  closeStand,
  cut,
  endless,
  receiver,
  rendering,
  start,
  startStand,
  transcoder,
  workspaces,
} from './process-stand.ts';
import { isAlive } from './transcoder-process.ts';

beforeAll(startStand, 300_000);
afterAll(closeStand);

describe('SIGTERM', () => {
  test('hands every task back, kills the encoders and ends with 0', async () => {
    await begin({ LINE: '1' });
    const [running, waiting] = [endless(), cut()];
    await transcoder.post('/tasks', running);
    await transcoder.post('/tasks', waiting);
    await rendering(running);
    const children = [...transcoder.descendants(), ...transcoder.workers()];
    transcoder.child.kill('SIGTERM');
    await Promise.all([running, waiting].map((job) => receiver.first(job.task_id, 'released')));
    expect(await transcoder.exited).toBe(0);
    // A sandbox takes its processes down after its own end.
    await expect.poll(() => children.filter(isAlive), { timeout: 5000 }).toEqual([]);
    expect(workspaces()).toEqual([]);
    await transcoder.close();
  });

  test('an idle process leaves at once, and its start removed what a dead one had left', async () => {
    await begin();
    const deadPid = transcoder.child.pid;
    await transcoder.close();
    mkdirSync(transcoder.workDir);
    mkdirSync(join(transcoder.workDir, `spool-job-${deadPid}-abcdef`));
    mkdirSync(join(transcoder.workDir, `spool-job-${process.pid}-abcdef`));
    mkdirSync(join(transcoder.workDir, 'of-somebody-else'));
    const next = await start({ WORK_DIR: transcoder.workDir });
    expect(workspaces().toSorted()).toEqual(['of-somebody-else', `spool-job-${process.pid}-abcdef`]);
    await next.close();
    expect(await next.exited).toBe(0);
  });
});

test('an exception that nothing has caught ends the process at once, and its tasks count as lost', async () => {
  // Only here can something be thrown from outside.
  const fault = `process.on('SIGUSR2',()=>setTimeout(()=>{throw new TypeError('planted')}))`;
  await begin({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}` });
  const job = endless();
  await transcoder.post('/tasks', job);
  await rendering(job);
  const children = [...transcoder.descendants(), ...transcoder.workers()];
  transcoder.child.kill('SIGUSR2');
  expect(await transcoder.exited).toBe(1);
  expect(transcoder.logs.map(({ message }) => message)).toContain('uncaught exception');
  const types = receiver.received(job.task_id).map(({ report }) => report.type);
  // A task that was handed back would do the same to the next machine, without end.
  expect(new Set(types)).toEqual(new Set(['progress']));
  await expect.poll(() => children.filter(isAlive), { timeout: 5000 }).toEqual([]);
  await transcoder.close();
});

describe('the HTTP surface', () => {
  beforeAll(async () => {
    await begin();
  });
  afterAll(async () => {
    await transcoder.close();
  });

  const codeOf = async (response: Response) => {
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    const body = problem.parse(await response.json());
    expect(body.status).toBe(response.status);
    return [body.status, body.code];
  };

  test('takes nothing that is not signed with the shared secret', async () => {
    const plain = await fetch(`${transcoder.url}/tasks`, { method: 'POST', body: JSON.stringify(cut()) });
    expect(await codeOf(plain)).toEqual([401, 'invalid_api_key']);
    const wrong = await transcoder.post('/tasks', cut(), 'another-secret-another-secret-another');
    expect(await codeOf(wrong)).toEqual([401, 'invalid_api_key']);
    const path = `/tasks/${newId('task')}/stop`;
    expect(await codeOf(await fetch(transcoder.url + path, { method: 'POST' }))).toEqual([
      401,
      'invalid_api_key',
    ]);
  });

  test.each<[string, () => unknown]>([
    ['text that is not JSON', () => 'not json'],
    ['another version of the wire', () => ({ ...cut(), v: 99 })],
    ['an unknown operation', () => ({ ...cut(), operation: 'rm' })],
    ['a prefix outside the task', () => ({ ...cut(), output_prefix: '../' })],
    [
      'an input that its operation refuses',
      () => ({ ...cut(), input: { video_url: 'https://a.example/', end: 0 } }),
    ],
  ])('answers 400 to %s', async (_, body) => {
    expect(await codeOf(await transcoder.post('/tasks', body()))).toEqual([400, 'invalid_json']);
  });

  test('answers 413, 404 and 405 as problems', async () => {
    const large = await transcoder.post('/tasks', { ...cut(), padding: 'x'.repeat(MAX_JOB_BYTES) });
    expect(await codeOf(large)).toEqual([413, 'request_too_large']);
    expect(await codeOf(await fetch(`${transcoder.url}/nope`))).toEqual([404, 'not_found']);
    const get = await fetch(`${transcoder.url}/tasks`);
    expect(get.headers.get('allow')).toBe('POST');
    expect(await codeOf(get)).toEqual([405, 'method_not_allowed']);
  });

  test('tells its health, its engine and the request id', async () => {
    const health = await fetch(`${transcoder.url}/healthz`, { headers: { 'x-request-id': 'req_1' } });
    expect(await health.json()).toEqual({ status: 'ok', version: packageJson.version });
    expect(health.headers.get('x-request-id')).toBe('req_1');
    const ready = transcoderReady.parse(await (await fetch(`${transcoder.url}/readyz`)).json());
    expect(ready).toMatchObject({ status: 'ready', slots: 1, busy: 0 });
    expect(ready.ffmpeg_version).toMatch(/^\d/);
    expect(ready.engines?.map(({ id }) => id)).toEqual(engineIds);
    for (const { id, available, reason } of ready.engines ?? []) {
      expect(available, id).toBe(reason === null);
      if (engineOf(id as EngineId).tier === 'model') expect(reason).toBe('its model is not installed');
    }
  });
});
