import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Task } from '../../schema/task/task.ts';
import { serveMedia } from '../../scripts/lib/media-server.mjs';
import { parseWave } from '../../transcoder/engines/speech/wave.ts';
import { run } from '../../transcoder/ffmpeg/run.ts';
import { AddressRefused } from '../../transcoder/model/post.ts';
import { guardedPost } from '../../transcoder/source/guarded-post.ts';
import { API_KEY, type SpeechApi, startSpeechApi, TRANSCRIPTION } from '../fixtures/engines/speech-api.ts';
import { programs } from '../fixtures/make.ts';
import { type Speech, sentences, speak } from '../fixtures/speech.ts';
import { localStorage, type Service, secrets, startService } from '../harness.ts';
import { keepOutOfLogs } from '../log-canaries.ts';
import { startTranscoder, type TranscoderProcess } from '../transcoder/transcoder-process.ts';
import { type Receiver, startReceiver } from '../worker/webhooks/receiver.ts';
import { type Canary, startCanary } from './canary.ts';
import { type NameServer, startNameServer } from './name-server.ts';
import { textCases } from './urls.ts';

const texts = sentences.slice(0, 3);
const directory = mkdtempSync(join(tmpdir(), 'spool-test-speech-api-'));
const hosts = {
  'private.speech-test.net': { a: ['10.0.0.1'] },
  'loopback.speech-test.net': { a: ['127.0.0.1'] },
  'mixed.speech-test.net': { a: ['93.184.216.34', '127.0.0.1'] },
  'six.speech-test.net': { aaaa: ['::1'] },
  'metadata.speech-test.net': { a: ['169.254.169.254'] },
  // TEST-NET addresses are not public either, because a test stays on this machine.
  'rebinding.speech-test.net': (asked: number) => ({ a: [asked === 0 ? '192.0.2.1' : '127.0.0.1'] }),
};

let speech: Speech;
let api: SpeechApi;
let canary: Canary;
let names: NameServer;
let media: Awaited<ReturnType<typeof serveMedia>>;
let transcoder: TranscoderProcess;
let service: Service;
let receiver: Receiver;
/** An origin that development allows, and what it answers. */
let hostile: { url: string; listener: RequestListener; close: () => void };

beforeAll(async () => {
  keepOutOfLogs(API_KEY);
  speech = await speak(texts, join(directory, 'talk.wav'));
  const picture = ['-f', 'lavfi', '-i', 'color=c=gray:s=160x90:r=10', '-i', speech.file, '-shortest'];
  const encoded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', join(directory, 'talk.mp4')];
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', ...picture, ...encoded]);
  const said = { sound: parseWave(await readFile(speech.file)), words: speech.words, sentences: texts };
  [receiver, api, canary, names, media] = await Promise.all([
    startReceiver(),
    startSpeechApi(said, 'speaches'),
    startCanary(),
    startNameServer(hosts),
    serveMedia(directory, 0),
  ]);
  const server = createServer((request, response) => hostile.listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  hostile = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    listener: (_, response) => void response.end(),
    close: () => server.close(),
  };
  const allowed = [media.origin, api.url, hostile.url].join(',');
  service = await startService(async (url) => {
    transcoder = await startTranscoder({
      SPOOL_DEV_ORIGINS: allowed,
      SPOOL_DEV_DNS: names.address,
      TRANSCODER_SECRET: secrets.TRANSCODER_SECRET,
      S3_ENDPOINT: `${url.origin}/cdn-cgi/local/r2/s3`,
      S3_BUCKET: localStorage.bucket,
      S3_ACCESS_KEY_ID: localStorage.accessKeyId,
      S3_SECRET_ACCESS_KEY: localStorage.secretAccessKey,
    });
    return { TRANSCODER_URL: transcoder.url, SPOOL_DEV_ORIGINS: `${allowed},${receiver.origin}` };
  });
}, 300_000);
afterAll(async () => {
  await transcoder.close();
  await service.close();
  hostile.close();
  await Promise.all([receiver, api, canary, names, media].map((each) => each.close()));
  rmSync(directory, { recursive: true });
});

async function captioned(url: string, more: object = {}): Promise<Task> {
  const { key } = service.accounts.elite;
  const response = await service.request('/captions/auto', {
    key,
    json: { video_url: `${media.origin}/talk.mp4`, burn: false, ...more },
    headers: {
      'x-speech-api-url': url,
      'x-speech-api-key': API_KEY,
      'x-speech-api-model': TRANSCRIPTION,
    },
  });
  expect(response.status).toBe(202);
  return service.finished(((await response.json()) as { id: string }).id, key);
}

const leak = /127\.0\.0\.1|169\.254|\b10\.0|::1|sk-caller|secret of the server|ECONN/;

describe('a speech API of the caller, through the whole service', () => {
  test('makes the captions of a task, each word at its time', async () => {
    const { status, error, output } = await captioned(`${api.url}/behind/a/path/v1/`);
    expect([status, error]).toEqual(['completed', null]);
    const { words, engine } = (output?.data ?? {}) as {
      words: { text: string; start: number }[];
      engine: Record<string, unknown>;
    };
    expect(words.map(({ text }) => text).join(' ')).toBe(texts.join(' '));
    for (const [index, { start }] of words.entries())
      expect(Math.abs(start - (speech.words[index]?.start ?? 0))).toBeLessThan(0.1);
    expect(engine).toMatchObject({ id: 'speech_api', model_id: TRANSCRIPTION });
    expect(api.requests[0]?.authorization).toBe(`Bearer ${API_KEY}`);
  });

  test.each([
    ['task', {}],
    ['dry run', { dry_run: true }],
  ])('is in no webhook, answer or database once a %s has ended', async (name, more) => {
    const path = `/${name.replace(' ', '-')}`;
    const task = await captioned(`${api.url}/a-secret-path`, {
      ...more,
      callback_url: receiver.origin + path,
    });
    expect(task.status).toBe('completed');
    await expect.poll(() => receiver.at(path).length, { timeout: 20_000 }).toBe(1);
    const { DB } = await service.bindings();
    const listed = await DB.prepare("select name from sqlite_master where type = 'table'").bind().all<{
      name: string;
    }>();
    const tables = listed.results.map((table) => table.name).filter((table) => !table.startsWith('_cf'));
    expect(tables).toContain('tasks');
    const rows = await Promise.all(
      tables.map((table) => DB.prepare(`select * from "${table}"`).bind().all()),
    );
    const kept = JSON.stringify([task, receiver.at(path), rows.map(({ results }) => results)]);
    expect(kept).toContain(task.id);
    for (const secret of [API_KEY, 'a-secret-path']) expect(kept).not.toContain(secret);
  });

  test.each(Object.keys(hosts))('is not asked at %s', async (host) => {
    const { error } = await captioned(`https://${host}`);
    expect(error).toMatchObject({ code: 'engine_unavailable', fault: 'caller' });
    expect(error?.detail).toContain('The URL in X-Speech-Api-Url is not allowed.');
    expect(error?.detail).not.toMatch(leak);
  });

  test.each(['301', '302', '307', '308'])('is not followed to a canary by a %s', async (status) => {
    hostile.listener = (request, response) => {
      request.resume();
      const location = `http://127.0.0.1:${canary.port}/v1/audio/transcriptions`;
      response.writeHead(Number(status), { location }).end('the secret of the server');
    };
    const { error } = await captioned(hostile.url);
    expect(error).toMatchObject({ code: 'engine_unavailable' });
    expect(error?.detail).toContain('redirects');
    expect(error?.detail).not.toMatch(leak);
  });

  test('opens no connection to a forbidden address', () => {
    expect(canary.hits).toEqual([]);
  });
});

describe('a guarded POST', () => {
  const post = (url: string, addresses: string[] = [], ownHosts: string[] = []) =>
    guardedPost({
      rules: { devOrigins: new Set(), ownHosts: new Set(ownHosts) },
      resolve: async () => addresses,
    })({
      ...{ url, headers: { authorization: 'Bearer x' }, body: new Uint8Array(1), mostBytes: 1000 },
      signal: AbortSignal.timeout(5000),
    });

  test.each(textCases)('does not go to $name', async ({ url }) => {
    await expect(post(url)).rejects.toBeInstanceOf(AddressRefused);
  });

  test('does not go to this service itself', async () => {
    await expect(
      post('https://spool.example.com/v1', ['93.184.216.34'], ['spool.example.com']),
    ).rejects.toBeInstanceOf(AddressRefused);
  });
});
