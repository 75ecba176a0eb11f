import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { byElevenLabs, convertedByElevenLabs } from '../../transcoder/engines/speech/elevenlabs.ts';

const pcm = Buffer.alloc(200);
let url: string;
let answer: (asked: number, response: ServerResponse) => void;
let bodies: number[];

const server = createServer(async (request, response) => {
  let bytes = 0;
  for await (const chunk of request) bytes += chunk.length;
  bodies.push(bytes);
  answer(bodies.length, response);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  bodies = [];
});

const speak = (at: string, signal?: AbortSignal) =>
  byElevenLabs({ text: 'Hello', voice: 'A', speed: 1 }, { key: 'k', url: at, model: 'm' }, signal);
const convert = (at: string) => convertedByElevenLabs(new Float32Array(100), 'A', { key: 'k', url: at });

const spoken = (response: ServerResponse) =>
  void response.end(JSON.stringify({ audio_base64: pcm.toString('base64') }));

interface Refused {
  code?: string;
  message: RegExp;
}

describe('a request to the provider', () => {
  test.each<[number, Record<string, string>, number]>([
    [429, {}, 3],
    [429, { 'retry-after': '1' }, 3],
    [503, { 'retry-after': '0' }, 3],
    [503, {}, 1],
    [500, {}, 1],
    [502, {}, 1],
    [401, { 'retry-after': '0' }, 1],
    [422, {}, 1],
  ])('answered with %i %j is sent %i times', async (status, headers, times) => {
    answer = (_, response) => void response.writeHead(status, headers).end();
    await expect(speak(url)).rejects.toHaveProperty('code');
    expect(bodies).toHaveLength(times);
  });

  test('that may have been charged for is not sent again', async () => {
    answer = (_, response) => void response.socket?.resetAndDestroy();
    await expect(speak(url)).rejects.toMatchObject({ code: 'engine_failed' });
    expect(bodies).toHaveLength(1);
  });

  test('succeeds once it is taken, with the same body', async () => {
    answer = (asked, response) => (asked < 3 ? void response.writeHead(429).end() : spoken(response));
    expect((await speak(url)).samples).toHaveLength(100);
    expect(new Set(bodies).size).toBe(1);
    bodies = [];
    answer = (asked, response) => void (asked < 3 ? response.writeHead(429).end() : response.end(pcm));
    expect((await convert(url)).samples).toHaveLength(100);
    expect(bodies).toHaveLength(3);
    expect(Math.min(...bodies)).toBeGreaterThan(200);
  });

  test.each<[string, number, unknown, Refused]>([
    ['no credits left', 401, 'quota_exceeded', { code: 'provider_rejected_key', message: /enough credits/ }],
    ['a wrong key', 401, 'invalid_api_key', { code: 'provider_rejected_key', message: /rejected the key/ }],
    [
      'a long text',
      400,
      'max_character_limit_exceeded',
      { code: 'engine_unavailable', message: /Divide it/ },
    ],
    ['another reason', 400, ['quota_exceeded'], { message: /does not have this voice/ }],
    ['a reason without end', 400, 'x'.repeat(100_000), { message: /does not have this voice/ }],
  ])('that is refused for %s says so', async (_, status, reason, { code, message }) => {
    answer = (__, response) =>
      void response.writeHead(status).end(JSON.stringify({ detail: { status: reason, message: 'secret' } }));
    const failure = await speak(url).catch((error) => error);
    if (code) expect(failure.code).toBe(code);
    expect(failure.message).toMatch(message);
    expect(failure.message).not.toContain('secret');
  });

  test('that finds nobody there is engine_failed after its tries, and ends at once with its task', async () => {
    await expect(speak('http://127.0.0.1:9')).rejects.toMatchObject({ code: 'engine_failed' });
    const control = new AbortController();
    const reason = new Error('stop');
    answer = (_, response) => {
      response.writeHead(429, { 'retry-after': '60' }).end();
      setTimeout(() => control.abort(reason), 50);
    };
    await expect(speak(url, control.signal)).rejects.toBe(reason);
    expect(bodies).toHaveLength(1);
  });
});
