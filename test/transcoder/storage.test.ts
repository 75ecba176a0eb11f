import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '../../transcoder/env.ts';
import { openSource } from '../../transcoder/source/open-source.ts';
import { type ObjectStore, s3Store } from '../../transcoder/source/s3.ts';
import { startLink } from '../faults/link.ts';
import { type LocalStore, startObjectStore } from './object-store.ts';

let local: LocalStore;
let store: ObjectStore;
let directory: string;

const settings = (env: Record<string, string>) =>
  parseConfig({ TRANSCODER_SECRET: 'x'.repeat(32), ...local.env, ...env });

beforeAll(async () => {
  local = await startObjectStore();
  store = s3Store(settings({}));
  directory = await mkdtemp(join(tmpdir(), 'spool-test-store-'));
});

afterAll(async () => {
  await local.close();
  await rm(directory, { recursive: true });
});

async function object(key: string, bytes: number, fileName = 'cut.mp4') {
  const path = join(directory, key);
  const body = randomBytes(bytes);
  await writeFile(path, body);
  return { body, object: { key, path, mediaType: 'video/mp4', fileName } };
}

const keys = async () => (await local.bucket.list()).objects.map(({ key }) => key);

test.each([
  ['an empty file', 0],
  ['a small file in one put', 100_000],
  ['a large file in parts', 21_000_000],
])('%s arrives whole, with its hash, type and download name', async (_, bytes) => {
  const { object: one, body } = await object(`whole-${bytes}`, bytes, 'Ein Schnitt – 1.mp4');
  const fractions: number[] = [];
  const stored = await store.put(one, {
    signal: AbortSignal.timeout(60_000),
    onFraction: (fraction) => fractions.push(fraction),
  });
  const sha256 = createHash('sha256').update(body).digest('hex');
  expect(stored).toEqual({ file_size: bytes, sha256 });
  expect(fractions.at(-1)).toBe(1);
  const found = await local.bucket.get(one.key);
  expect(
    createHash('sha256')
      .update(Buffer.from((await found?.arrayBuffer()) ?? new ArrayBuffer()))
      .digest('hex'),
  ).toBe(sha256);
  expect(found?.httpMetadata).toMatchObject({
    contentType: 'video/mp4',
    contentDisposition: `attachment; filename="Ein_Schnitt___1.mp4"; filename*=UTF-8''Ein%20Schnitt%20%E2%80%93%201.mp4`,
  });
});

test('an abort in the middle of the parts ends with its reason and leaves neither object nor note', async () => {
  const { object: one } = await object('aborted', 60_000_000);
  const controller = new AbortController();
  const reason = new Error('stop');
  const noted: string[][] = [];
  const put = store.put(one, {
    signal: controller.signal,
    onFraction: () =>
      void keys().then((found) => {
        noted.push(found);
        controller.abort(reason);
      }),
  });
  await expect(put).rejects.toBe(reason);
  expect(noted[0]).toContain('aborted.upload');
  expect(await keys()).toEqual(expect.not.arrayContaining(['aborted', 'aborted.upload']));
});

test('an upload in parts whose end cannot be told leaves a note by which the sweeper ends it', async () => {
  const { object: one } = await object('noted', 60_000_000);
  const link = await startLink(() => new URL(local.env.S3_ENDPOINT ?? '').origin);
  link.judge = ({ method }) => (method === 'DELETE' ? 'lost' : null);
  const endpoint = new URL(new URL(local.env.S3_ENDPOINT ?? '').pathname, link.origin).href;
  const controller = new AbortController();
  const put = s3Store(settings({ S3_ENDPOINT: endpoint })).put(one, {
    signal: controller.signal,
    onFraction: () => controller.abort(),
  });
  await expect(put).rejects.toThrow();
  await link.close();
  expect(await keys()).toContain('noted.upload');
  const whole = await object('finished', 21_000_000);
  await store.put(whole.object, { signal: AbortSignal.timeout(60_000), onFraction: () => {} });
  expect(await keys()).not.toContain('finished.upload');
});

test('a put that is aborted while its answer is awaited is over before it rejects, so that deleting it is the last word', async () => {
  const { object: one } = await object('late', 100_000);
  const link = await startLink(() => new URL(local.env.S3_ENDPOINT ?? '').origin);
  const controller = new AbortController();
  // The store has the whole body, and the aborted sender has not heard of it.
  link.judge = () => {
    controller.abort();
    return null;
  };
  const endpoint = new URL(new URL(local.env.S3_ENDPOINT ?? '').pathname, link.origin).href;
  const put = s3Store(settings({ S3_ENDPOINT: endpoint })).put(one, {
    signal: controller.signal,
    onFraction: () => {},
  });
  await expect(put).rejects.toThrow();
  expect(await keys()).toContain('late');
  await store.remove(['late']);
  await link.close();
  expect(await keys()).not.toContain('late');
});

test('a connection to the store that breaks now and then costs no object, in whole or in parts', async () => {
  const link = await startLink(() => new URL(local.env.S3_ENDPOINT ?? '').origin);
  const endpoint = new URL(new URL(local.env.S3_ENDPOINT ?? '').pathname, link.origin).href;
  const flaky = s3Store(settings({ S3_ENDPOINT: endpoint }));
  let asked = 0;
  link.judge = () => (asked++ % 3 === 0 ? 'lost' : null);
  const signal = AbortSignal.timeout(60_000);
  for (const [key, bytes] of [
    ['flaky-small', 100_000],
    ['flaky-large', 21_000_000],
  ] as const) {
    const { object: one, body } = await object(key, bytes);
    await flaky.put(one, { signal, onFraction: () => {} });
    const found = await local.bucket.get(key);
    expect(Buffer.from((await found?.arrayBuffer()) ?? new ArrayBuffer()).equals(body)).toBe(true);
    const source = await openSource(flaky.origin(key), {
      ...{ path: join(directory, `${key}-read`), limitBytes: 1e9, signal },
    }).catch((error: unknown) => error);
    // Noise is no media: it has been read, and judged.
    expect(source).toMatchObject({ code: 'source_not_media' });
    await flaky.remove([key]);
  }
  expect(link.happened.lost).toBeGreaterThan(4);
  await link.close();
});

test('an outage of the store costs no object, wherever it begins', async () => {
  const link = await startLink(() => new URL(local.env.S3_ENDPOINT ?? '').origin);
  const endpoint = new URL(new URL(local.env.S3_ENDPOINT ?? '').pathname, link.origin).href;
  const patient = s3Store(settings({ S3_ENDPOINT: endpoint }));
  const signal = AbortSignal.timeout(100_000);
  for (const [key, bytes, before] of [
    ['outage-small', 100_000, 0],
    ['outage-large', 21_000_000, 0],
    ['outage-in-parts', 21_000_000, 3],
  ] as const) {
    const { object: one, body } = await object(key, bytes);
    let asked = 0;
    link.judge = () => {
      asked += 1;
      if (asked === before + 1) {
        // Longer than the client of the store goes on by itself.
        link.down = true;
        setTimeout(() => (link.down = false), 4000);
        return 'lost';
      }
      return null;
    };
    await patient.put(one, { signal, onFraction: () => {} });
    const found = await local.bucket.get(key);
    expect(Buffer.from((await found?.arrayBuffer()) ?? new ArrayBuffer()).equals(body)).toBe(true);
    expect(await keys()).not.toContain(`${key}.upload`);
  }
  await link.close();
}, 120_000);

test('objects are removed, and one that is not there is no failure', async () => {
  const { object: one } = await object('removed', 10);
  await store.put(one, { signal: AbortSignal.timeout(60_000), onFraction: () => {} });
  expect(await keys()).toContain('removed');
  await store.remove(['removed', 'never-there']);
  expect(await keys()).not.toContain('removed');
});

test('a store that refuses the key is storage_failed', async () => {
  const stranger = s3Store(settings({ S3_SECRET_ACCESS_KEY: 'wrong' }));
  const { object: one } = await object('refused', 10);
  const put = stranger.put(one, { signal: AbortSignal.timeout(60_000), onFraction: () => {} });
  await expect(put).rejects.toMatchObject({ code: 'storage_failed' });
});

test('an object is read back by parts, and says of itself when it is gone', async () => {
  const { object: one, body } = await object('source', 3_000_000);
  const signal = AbortSignal.timeout(60_000);
  await store.put(one, { signal, onFraction: () => {} });
  const source = store.origin('source');
  const response = await source.answer([1_000_000, 1_500_000], signal);
  expect([response.statusCode, response.headers['content-range']]).toEqual([
    206,
    'bytes 1000000-1499999/3000000',
  ]);
  const part = Buffer.concat(await response.toArray());
  expect(part.equals(body.subarray(1_000_000, 1_500_000))).toBe(true);
  await store.remove(['source']);
  await expect(source.answer([0, 1000], signal)).rejects.toMatchObject({ code: 'source_gone' });
  source.close();
});

test('a store that does not answer is no fault of the source', async () => {
  const dead = s3Store(settings({ S3_ENDPOINT: 'http://127.0.0.1:9', STORE_PATIENCE_SECONDS: '1' }));
  await expect(dead.origin('a').answer(null, AbortSignal.timeout(30_000))).rejects.toMatchObject({
    code: 'storage_failed',
  });
});
