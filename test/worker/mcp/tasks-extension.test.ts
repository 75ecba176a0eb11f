import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planOf } from '../../../schema/api/plans.ts';
import { operations } from '../../../schema/operations/index.ts';
import { exampleOf, type Service, startService } from '../../harness.ts';
import { resultOf, type StandIn, startStandIn } from '../stand-in.ts';
import { send } from './connect.ts';

let service: Service;
let transcoder: StandIn;
let key: string;

beforeAll(async () => {
  transcoder = await startStandIn();
  service = await startService({ TRANSCODER_URL: transcoder.origin });
  key = (await service.createAccount('elite')).key;
});
afterAll(async () => {
  await service.close();
  await transcoder.close();
});

const declared = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const cut = { name: 'cut_video', arguments: exampleOf(operations.cut) };
const call = (method: string, params: Record<string, unknown>, capabilities: object = declared) =>
  send(service, key, method, params, capabilities);

async function started(): Promise<string> {
  const { result } = await call('tools/call', cut);
  expect(result).toMatchObject({
    resultType: 'task',
    status: 'working',
    ttlMs: planOf('elite').record_seconds * 1000,
    pollIntervalMs: expect.any(Number),
    taskId: expect.stringMatching(/^task_/),
  });
  return String(result?.taskId);
}

describe('the tasks extension', () => {
  it('gives a client that declares it a task in place of the result, and the result once it has ended', async () => {
    const taskId = await started();
    expect((await call('tasks/get', { taskId })).result).toMatchObject({ taskId, status: 'working' });
    const job = await transcoder.jobOf(taskId);
    await transcoder.report(job, { type: 'completed', result: resultOf(job, 'x') });
    await expect
      .poll(async () => (await call('tasks/get', { taskId })).result)
      .toMatchObject({
        status: 'completed',
        result: { structuredContent: { id: taskId, status: 'completed' } },
      });
    expect((await call('tasks/update', { taskId, inputResponses: {} })).result).toMatchObject({
      resultType: 'complete',
    });
  });

  it('shows a task that failed as completed with an error', async () => {
    const taskId = await started();
    const job = await transcoder.jobOf(taskId);
    const failure = { code: 'source_not_media', detail: 'It is a text.', stage: 'analyzing' } as const;
    await transcoder.report(job, { type: 'failed', failure });
    await expect
      .poll(async () => (await call('tasks/get', { taskId })).result)
      .toMatchObject({ status: 'completed', result: { isError: true } });
  });

  it('stops a task that is canceled, and leaves one that has ended', async () => {
    const running = await started();
    expect((await call('tasks/cancel', { taskId: running })).result).toMatchObject({
      resultType: 'complete',
    });
    expect((await service.request(`/task/${running}`, { key })).status).toBe(404);
    const ended = await started();
    const job = await transcoder.jobOf(ended);
    await transcoder.report(job, { type: 'completed', result: resultOf(job, 'x') });
    await service.finished(ended, key);
    await call('tasks/cancel', { taskId: ended });
    expect((await service.request(`/task/${ended}`, { key })).status).toBe(200);
  });

  it('is not used for a client that does not declare it, for mistakes, or for other tools', async () => {
    const plain = await call('tools/call', cut, {});
    expect(plain.result).toMatchObject({ resultType: 'complete', structuredContent: { status: 'queued' } });
    const wrong = await call('tools/call', { name: 'cut_video', arguments: {} });
    expect(wrong.result).toMatchObject({ resultType: 'complete', isError: true });
    const other = await call('tools/call', { name: 'get_account', arguments: {} });
    expect(other.result).toMatchObject({ resultType: 'complete' });
    const { id: taskId } = (plain.result?.structuredContent ?? {}) as { id?: string };
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const { error } = await call(method, { taskId }, {});
      expect([method, error?.code]).toEqual([method, -32021]);
      expect(error?.data).toMatchObject({ requiredCapabilities: declared });
    }
  });

  it('knows no task of another account', async () => {
    const { id } = await service.submit('/cut', exampleOf(operations.cut), service.accounts.boost.key);
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const { error } = await call(method, { taskId: id });
      expect([method, error?.code, error?.data?.code]).toEqual([method, -32602, 'task_not_found']);
    }
  });
});
