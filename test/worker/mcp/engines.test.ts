import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { problem as problemSchema } from '../../../schema/api/problem.ts';
import { engineIds } from '../../../schema/media/engines.ts';
import { operations } from '../../../schema/operations/index.ts';
import { type TranscoderReady, WIRE_VERSION } from '../../../schema/task/wire.ts';
import { exampleOf, type Service, startService } from '../../harness.ts';
import { connect, textOf } from './connect.ts';

/** A transcoder that has only these engines, and takes no task. */
let available: readonly string[] = ['espeak_ng', 'centre_mask'];

let fleet: Server;
let service: Service;

beforeAll(async () => {
  fleet = createServer((_, response) => {
    const engines = engineIds.map((id) => ({
      ...{ id, available: available.includes(id), reason: null },
      speed: id === 'espeak_ng' ? 120 : null,
    }));
    response.setHeader('content-type', 'application/json');
    const said: TranscoderReady = {
      ...{ v: WIRE_VERSION, status: 'ready', version: '1.0.0', engine: 'ffmpeg', ffmpeg_version: '7' },
      ...{ engines, sandbox: 'none', programs: {}, slots: 1, busy: 1 },
    };
    response.end(JSON.stringify(said));
  });
  await new Promise<void>((resolve) => fleet.listen(0, '127.0.0.1', resolve));
  const { port } = fleet.address() as AddressInfo;
  service = await startService({ TRANSCODER_URL: `http://127.0.0.1:${port}` });
});
afterAll(async () => {
  await service.close();
  fleet.close();
});

it('a tool that no engine can serve says so before there is a task, and others are served', async () => {
  const { key } = await service.createAccount('elite');
  const client = await connect(service, key);
  const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
  const refused = [
    ['caption_video', exampleOf(operations.captions_auto), '/engine'],
    [
      'caption_video',
      { ...exampleOf(operations.captions_auto), captions: 'Hello there.', speakers: 2 },
      '/speakers',
    ],
    ['change_voice', exampleOf(operations.redub_vc), '/provider'],
    ['separate_vocals', { ...exampleOf(operations.separate), engine: 'spleeter' }, '/engine'],
    ['dub_video', { ...exampleOf(operations.redub_tts), provider: 'local' }, '/provider'],
  ] as const;
  for (const [name, args, pointer] of refused) {
    const result = await call(name, args);
    expect([name, result.isError]).toEqual([name, true]);
    expect(textOf(result)).toMatchObject({ code: 'engine_unavailable', errors: [{ pointer }] });
  }
  expect((await call('list_tasks', {})).structuredContent).toMatchObject({ data: [] });
  const served = [
    ['caption_video', { ...exampleOf(operations.captions_auto), captions: 'Hello there.' }],
    ['separate_vocals', exampleOf(operations.separate)],
    ['dub_video', exampleOf(operations.redub_tts)],
    ['dub_video', { ...exampleOf(operations.redub_tts), provider: 'elevenlabs' }],
  ] as const;
  for (const [name, args] of served)
    expect([name, (await call(name, args)).isError ?? false]).toEqual([name, false]);
  await client.close();
});

it('over HTTP it is a 422, and a plan without the tool hears that first', async () => {
  const { path } = operations.captions_auto;
  const response = await service.request(path, {
    key: service.accounts.elite.key,
    json: exampleOf(operations.captions_auto),
  });
  expect(response.status).toBe(422);
  expect(problemSchema.parse(await response.json()).code).toBe('engine_unavailable');
  const client = await connect(service, service.accounts.basic.key);
  const { tools } = (await client.callTool({ name: 'list_capabilities', arguments: {} }))
    .structuredContent as {
    tools: { name: string; in_your_plan: boolean }[];
  };
  for (const { name } of tools.filter((tool) => !tool.in_your_plan)) {
    const result = await client.callTool({ name, arguments: {} });
    expect([name, textOf(result).code]).toEqual([name, 'plan_feature_required']);
  }
  await client.close();
});

it('/capabilities lists engines with their tier, languages and measured speed', async () => {
  const { engines } = (await (await service.request('/capabilities')).json()) as {
    engines: Record<string, unknown>[];
  };
  const of = (id: string) => engines.find((engine) => engine.id === id);
  expect(of('espeak_ng')).toMatchObject({ tier: 'embedded', languages: ['*'], available: true, speed: 120 });
  expect(of('parakeet_small')).toMatchObject({ tier: 'model', languages: ['en'], speed: null });
  expect(of('speech_api')).toMatchObject({ tier: 'cloud', languages: ['*'], speed: null });
});

it('a request that is sent again gets its first answer, though its engine has gone since', async () => {
  const { key } = await service.createAccount('elite');
  const { path } = operations.separate;
  const post = (idempotencyKey: string) =>
    service.request(path, {
      ...{ key, json: exampleOf(operations.separate) },
      headers: { 'idempotency-key': idempotencyKey },
    });
  const first = await post('sent twice');
  expect(first.status).toBe(202);
  const before = available;
  available = [];
  try {
    let tries = 0;
    await expect
      .poll(async () => (await post(`try ${tries++}`)).status, { timeout: 120_000, interval: 2500 })
      .toBe(422);
    const again = await post('sent twice');
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
    expect(await again.json()).toEqual(await first.json());
  } finally {
    available = before;
  }
});
