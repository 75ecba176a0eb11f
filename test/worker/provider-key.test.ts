import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problem as problemSchema } from '../../schema/api/problem.ts';
import { attemptOfKey, attemptOfSpeechApi } from '../../schema/api/provider-keys.ts';
import { sealer } from '../../schema/api/seal.ts';
import type { Job } from '../../schema/task/wire.ts';
import { type Service, secrets, startService } from '../harness.ts';
import { resultOf, type StandIn, startStandIn } from './stand-in.ts';

const KEY = 'sk_caller_secret_0123456789abcdef';
const input = { video_url: 'https://media.example.com/tour.mp4', script: 'Hello world.' };

let standIn: StandIn;
let service: Service;

beforeAll(async () => {
  standIn = await startStandIn();
  service = await startService({ TRANSCODER_URL: standIn.origin });
});
afterAll(async () => {
  await service.close();
  await standIn.close();
});

const create = (headers: Record<string, string> = { 'x-elevenlabs-key': KEY }, operation = '/redub_tts') =>
  service.request(operation, { key: service.accounts.boost.key, json: input, headers });

const openedOf = ({ provider_key = '', task_id, attempt }: Job) =>
  sealer(secrets.TRANSCODER_SECRET).open(provider_key, attemptOfKey(task_id, attempt));

const storageOf = () =>
  service.worker.getDurableObjectStorage('Account', { name: service.accounts.boost.id });

/** What the account keeps of a task's key. */
async function sealedOf(taskId: string): Promise<string[]> {
  const rows = await (await storageOf()).exec('select sealed from provider_keys where task_id = ?', taskId);
  return (rows as { sealed: string }[]).map(({ sealed }) => sealed);
}

async function recordOf(taskId: string): Promise<string> {
  const { DB } = await service.bindings();
  return JSON.stringify(await DB.prepare('select * from tasks where id = ?').bind(taskId).all());
}

describe("a caller's key of a provider", () => {
  it('reaches the attempt sealed, and each attempt by itself', async () => {
    const response = await create();
    expect(response.status).toBe(202);
    const text = await response.text();
    expect(text).not.toContain(KEY);
    const { id } = JSON.parse(text) as { id: string };
    const first = await standIn.jobOf(id);
    expect(JSON.stringify(first)).not.toContain(KEY);
    expect(await openedOf(first)).toBe(KEY);
    await expect(openedOf({ ...first, attempt: 2 })).rejects.toThrow();
    const [sealed = ''] = await sealedOf(id);
    expect(sealed).not.toBe('');
    expect(`${sealed} ${await recordOf(id)}`).not.toContain(KEY);
    expect(await recordOf(id)).not.toContain(sealed);

    await standIn.report(first, { type: 'released' });
    const second = await standIn.jobOf(id, 2);
    expect(await openedOf(second)).toBe(KEY);
    expect(second.provider_key).not.toBe(first.provider_key);

    await standIn.report(second, {
      type: 'failed',
      failure: { code: 'provider_rejected_key', detail: 'No.', stage: 'analyzing' },
    });
    const task = await service.finished(id, service.accounts.boost.key);
    expect(task.error).toMatchObject({ code: 'provider_rejected_key', fault: 'caller' });
    expect(JSON.stringify(task)).not.toContain(KEY);
    await expect.poll(() => sealedOf(id), { timeout: 10_000 }).toEqual([]);
    expect(await recordOf(id)).not.toContain(KEY);
  });

  it('is forgotten with a task that is deleted, and with one that is completed', async () => {
    const ids: string[] = [];
    for (const end of ['deleted', 'completed'] as const) {
      const { id } = (await (await create()).json()) as { id: string };
      ids.push(id);
      const job = await standIn.jobOf(id);
      expect(await sealedOf(id)).toHaveLength(1);
      if (end === 'deleted')
        await service.request(`/task/${id}`, { method: 'DELETE', key: service.accounts.boost.key });
      else await standIn.report(job, { type: 'completed', result: resultOf(job, 'video') });
      await expect.poll(() => sealedOf(id), { timeout: 10_000 }).toEqual([]);
    }
    expect(new Set(ids).size).toBe(2);
  });

  it('that can no longer be opened fails the task, in place of being tried for ever', async () => {
    const { id } = (await (await create()).json()) as { id: string };
    const first = await standIn.jobOf(id);
    await (await storageOf()).exec("update provider_keys set sealed = 'AAAA' where task_id = ?", id);
    await standIn.report(first, { type: 'released' });
    const task = await service.finished(id, service.accounts.boost.key);
    expect(task.error).toMatchObject({ code: 'internal_error', stage: 'waiting' });
    expect(task.error?.detail).toBe('The task could not be prepared.');
    expect(await sealedOf(id)).toEqual([]);
  });

  it('is refused where it is none, and sent nowhere where no provider is asked', async () => {
    const bad = await create({ 'x-elevenlabs-key': 'a b' });
    expect([bad.status, problemSchema.parse(await bad.json())]).toMatchObject([
      422,
      { code: 'validation_failed', errors: [{ pointer: '/X-ElevenLabs-Key', code: 'invalid_header' }] },
    ]);
    const without = (await (await create({})).json()) as { id: string };
    expect((await standIn.jobOf(without.id)).provider_key).toBeUndefined();
    const probe = await service.request('/probe', {
      ...{ key: service.accounts.boost.key, json: { url: input.video_url } },
      headers: { 'x-elevenlabs-key': KEY },
    });
    const { id } = (await probe.json()) as { id: string };
    expect((await standIn.jobOf(id)).provider_key).toBeUndefined();
  });
});

describe("a caller's speech API", () => {
  const API = {
    url: 'https://speech.example.com/secret-path',
    key: 'sk-own-0123456789abcdef',
    model: 'tiny.en',
  };
  const headersOf = ({ url, key, model }: Partial<typeof API>) => ({
    ...(url === undefined ? {} : { 'x-speech-api-url': url }),
    ...(key === undefined ? {} : { 'x-speech-api-key': key }),
    ...(model === undefined ? {} : { 'x-speech-api-model': model }),
  });
  const openedApi = async ({ speech_api = '', task_id, attempt }: Job) =>
    JSON.parse(
      await sealer(secrets.TRANSCODER_SECRET).open(speech_api, attemptOfSpeechApi(task_id, attempt)),
    );

  it('reaches the attempt sealed, with the key of another provider, and is forgotten with the task', async () => {
    const response = await create({ ...headersOf(API), 'x-elevenlabs-key': KEY });
    const text = await response.text();
    const { id } = JSON.parse(text) as { id: string };
    const job = await standIn.jobOf(id);
    expect(await openedApi(job)).toEqual(API);
    expect(await openedOf(job)).toBe(KEY);
    await expect(openedApi({ ...job, attempt: 2 })).rejects.toThrow();
    const sealed = await sealedOf(id);
    const everywhere = [text, JSON.stringify(job), ...sealed, await recordOf(id)].join(' ');
    for (const secret of [API.key, 'secret-path', KEY]) expect(everywhere).not.toContain(secret);
    expect(sealed).toHaveLength(1);
    await service.request(`/task/${id}`, { method: 'DELETE', key: service.accounts.boost.key });
    await expect.poll(() => sealedOf(id), { timeout: 10_000 }).toEqual([]);
  });

  it('needs no key and no model', async () => {
    const { id } = (await (await create(headersOf({ url: API.url }))).json()) as { id: string };
    const job = await standIn.jobOf(id);
    expect(await openedApi(job)).toEqual({ url: API.url, key: null, model: null });
    expect([job.provider_key, job.workers_ai]).toEqual([undefined, undefined]);
  });

  it.each([
    [{ key: API.key }, 'The header X-Speech-Api-Key needs X-Speech-Api-Url'],
    [{ model: API.model }, 'The header X-Speech-Api-Model needs X-Speech-Api-Url'],
    [{ ...API, url: 'http://speech.example.com' }, 'must start with https://'],
    [{ ...API, url: 'https://10.0.0.1' }, 'The address in the URL is not public.'],
    [{ ...API, url: 'https://169.254.169.254/latest' }, 'is not public'],
    [{ ...API, url: 'https://metadata.google.internal' }, 'is not public'],
    [{ ...API, url: 'https://localhost' }, 'is not public'],
    [{ ...API, url: 'https://speech.example.com:8443' }, 'port 443'],
    [{ ...API, url: 'https://me:pw@speech.example.com' }, 'user name or password'],
    [{ ...API, url: 'https://speech.example.com?key=1' }, 'without a query'],
    [{ ...API, url: 'nonsense' }, 'not valid'],
    [{ ...API, key: 'a b' }, 'The header X-Speech-Api-Key must be 1 to 1000 printable'],
    [{ ...API, model: 'a b' }, 'The header X-Speech-Api-Model must be'],
  ])('%j is refused before there is a task, and says what is wrong', async (api, says) => {
    const response = await create(headersOf(api));
    const { code, detail, errors } = problemSchema.parse(await response.json());
    expect([response.status, code]).toEqual([422, 'validation_failed']);
    expect(errors).toMatchObject([{ pointer: expect.stringMatching(/^\/X-Speech-Api-/), detail }]);
    expect(detail).toContain(says);
    expect(detail).not.toContain(API.key);
  });

  it('of this service itself is refused, and one sent to another operation is left out', async () => {
    const own = await create(headersOf({ url: new URL(service.url).origin.replace('http:', 'https:') }));
    expect(own.status).toBe(422);
    const probe = await service.request('/probe', {
      ...{ key: service.accounts.boost.key, json: { url: input.video_url }, headers: headersOf(API) },
    });
    const { id } = (await probe.json()) as { id: string };
    expect((await standIn.jobOf(id)).speech_api).toBeUndefined();
  });
});
