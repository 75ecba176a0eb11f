import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plans } from '../../../schema/api/plans.ts';
import { problem as problemSchema } from '../../../schema/api/problem.ts';
import { operationNames, operations } from '../../../schema/operations/index.ts';
import type { TaskPlan } from '../../../schema/task/task.ts';
import type { Job, Metering } from '../../../schema/task/wire.ts';
import { exampleOf, type Service, startService, type TestAccount } from '../../harness.ts';
import { type StandIn, startStandIn } from '../stand-in.ts';

let service: Service;
let transcoder: StandIn;
let account: TestAccount;

beforeAll(async () => {
  transcoder = await startStandIn();
  service = await startService({ TRANSCODER_URL: transcoder.origin });
  account = await service.createAccount('elite');
});
afterAll(async () => {
  await service.close();
  await transcoder.close();
});

const plan: TaskPlan = {
  sources: [{ container: 'mp4', duration: 60, file_size: 1000, video: null, audio: null }],
  files: [{ role: 'video', file_name: 'cut.mp4', media_type: 'video/mp4' }],
  ...{ duration: 5, width: 640, height: 360, fps: 30 },
  data: { copied_seconds: 0, rendered_seconds: 5 },
  time_map: [],
};
const warnings = [{ code: 'source_vfr' as const, detail: 'It is.' }];
const metering: Metering = { source_seconds: 60, processing_seconds: 0.5, bytes_read: 700 };

const plannedReport = (job: Job) => transcoder.report(job, { type: 'planned', plan, warnings, metering });

describe('dry_run', () => {
  it.each(operationNames)(
    'is taken by %s over REST and MCP alike, and no other task is asked for it',
    async (name) => {
      const input = exampleOf(operations[name]);
      const dry = await service.submit(operations[name].path, { ...input, dry_run: true }, account.key);
      expect((await transcoder.jobOf(dry.id)).input.dry_run).toBe(true);
      const plain = await service.submit(operations[name].path, input, account.key);
      expect(plain.input.dry_run).toBe(false);
      expect((await transcoder.jobOf(plain.id)).input).not.toHaveProperty('dry_run');

      const client = new Client({ name: 'test', version: '1' });
      const headers = { 'x-api-key': account.key };
      await client.connect(
        new StreamableHTTPClientTransport(new URL('/mcp', service.url), { requestInit: { headers } }),
      );
      const answer = await client.callTool({ name, arguments: { ...input, dry_run: true } });
      await client.close();
      const created = answer.structuredContent as { id: string };
      expect((await transcoder.jobOf(created.id)).input.dry_run).toBe(true);
      for (const id of [dry.id, plain.id, created.id])
        await service.request(`/task/${id}`, { method: 'DELETE', key: account.key });
    },
  );

  it('completes with the plan, without an output, a file or a time of expiry', async () => {
    const input = { video_url: 'https://media.example.com/a.mp4', duration: 5, dry_run: true };
    const { id } = await service.submit('/cut', input, account.key);
    const job = await transcoder.jobOf(id);
    expect((await plannedReport(job)).status).toBe(200);
    expect((await plannedReport(job)).status).toBe(200);
    const task = await service.finished(id, account.key);
    expect(task).toMatchObject({
      ...{ status: 'completed', stage: 'done', progress_percent: 100, output: null, expires_at: null },
      ...{ plan, warnings, links: { download: null } },
    });
    const download = await service.request(`/task/${id}/download`, { key: account.key });
    expect([download.status, problemSchema.parse(await download.json()).code]).toEqual([
      404,
      'file_not_found',
    ]);
    const reuse = await service.request('/cut', {
      json: { ...input, video_url: `task:${id}` },
      key: account.key,
    });
    expect(problemSchema.parse(await reuse.json()).errors?.[0]).toMatchObject({
      pointer: '/video_url',
      code: 'file_not_found',
    });
  });

  it('is refused where the request itself would be', async () => {
    const basic = await service.createAccount('basic');
    const urls = Array.from({ length: 11 }, (_, index) => `https://media.example.com/${index}.mp4`);
    for (const json of [
      { urls, dry_run: true },
      { urls: ['https://10.0.0.1/a.mp4', 'https://media.example.com/b.mp4'], dry_run: true },
    ]) {
      const response = await service.request('/merge_urls', { json, key: basic.key });
      expect(response.status).toBe(422);
    }
  });

  it('counts in the usage by what it has cost, and its record goes when its time is over', async () => {
    const by = await service.createAccount('elite');
    const input = { video_url: 'https://media.example.com/a.mp4', duration: 5, dry_run: true };
    const { id } = await service.submit('/cut', input, by.key);
    await plannedReport(await transcoder.jobOf(id));
    await service.finished(id, by.key);
    const usage = await (await service.request('/usage', { key: by.key })).json();
    expect(usage).toMatchObject({
      totals: {
        completed: 1,
        failed: 0,
        source_seconds: 60,
        output_seconds: 0,
        bytes_read: 700,
        bytes_stored: 0,
      },
    });
    const scheduledTime = new Date(Date.now() + plans.elite.record_seconds * 1000 + 60_000);
    await service.worker.scheduled({ scheduledTime, cron: '*/5 * * * *' });
    expect((await service.request(`/task/${id}`, { key: by.key })).status).toBe(404);
  });
});
