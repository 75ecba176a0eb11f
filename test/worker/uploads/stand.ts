import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { problem as problemSchema } from '../../../schema/api/problem.ts';
import { type Upload, upload as uploadSchema } from '../../../schema/api/upload.ts';
import { type Service, startService, type TestAccount } from '../../harness.ts';
import { type StandIn, startStandIn } from '../stand-in.ts';

/** Set by startStand: a service whose tasks are worked on by a stand-in, and one of its accounts. */
export let service: Service;
export let transcoder: StandIn;
export let account: TestAccount;

export async function startStand(vars: Record<string, string> = {}): Promise<void> {
  transcoder = await startStandIn();
  service = await startService({ TRANSCODER_URL: transcoder.origin, ...vars });
  account = await service.createAccount('elite');
}

export async function closeStand(): Promise<void> {
  await service.close();
  await transcoder.close();
}

/** The first bytes of an mp4 file, which is all that is looked at. */
export const mp4 = (length = 1000) => {
  const bytes = Buffer.alloc(length, 1);
  bytes.write('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1');
  return bytes;
};

export const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

export const post = (path: string, json: unknown, by = account) =>
  service.request(path, { json, key: by.key });

export async function create(given: Record<string, unknown>, by = account): Promise<Upload> {
  const response = await post('/uploads', { file_name: 'talk.mp4', ...given }, by);
  const body = await response.json();
  expect([response.status, body]).toEqual([201, expect.objectContaining({ object: 'upload' })]);
  return uploadSchema.parse(body);
}

export const put = (url: string | null, bytes: Uint8Array | string, headers: Record<string, string> = {}) =>
  fetch(url ?? 'no URL', { method: 'PUT', body: bytes, headers });

export async function send({ url, headers }: Upload, bytes: Uint8Array): Promise<void> {
  expect((await put(url, bytes, headers)).status).toBe(200);
}

export const complete = (id: string, body: unknown = {}, by = account) =>
  post(`/uploads/${id}/complete`, body, by);

/** An upload that is ready. */
export async function ready(bytes: Uint8Array = mp4(), by = account): Promise<Upload> {
  const made = await create({ size_bytes: bytes.length }, by);
  await send(made, bytes);
  const response = await complete(made.id, {}, by);
  expect(response.status).toBe(200);
  return uploadSchema.parse(await response.json());
}

export async function problemOf(response: Response) {
  expect(response.status).toBeGreaterThanOrEqual(400);
  const { status, code, detail, errors } = problemSchema.parse(await response.json());
  expect(status).toBe(response.status);
  return { status, code, detail, pointers: errors?.map(({ pointer }) => pointer) ?? [] };
}

interface Bucket {
  put(key: string, value: string | Uint8Array): Promise<unknown>;
  list(options: { prefix: string }): Promise<{ objects: { key: string; size: number }[] }>;
}

export const bucket = async () => (await service.bindings()).FILES as unknown as Bucket;

export const objectsOf = async (id: string) =>
  (await (await bucket()).list({ prefix: `u/${id}/` })).objects.map(({ size }) => size);

export async function run(sql: string, ...values: unknown[]): Promise<void> {
  const { DB } = await service.bindings();
  await DB.prepare(sql)
    .bind(...values)
    .run();
}

export async function sweep(inMs = 0): Promise<void> {
  const { outcome } = await service.worker.scheduled({
    scheduledTime: new Date(Date.now() + inMs),
    cron: '*/5 * * * *',
  });
  expect(outcome).toBe('ok');
}
