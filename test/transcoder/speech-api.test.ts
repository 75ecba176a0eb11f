import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { askEndpoint } from '../../transcoder/engines/speech/cloud/endpoint-request.ts';
import { speakWith, transcribeWith } from '../../transcoder/engines/speech/cloud/speech-api.ts';
import { transcriptOf } from '../../transcoder/engines/speech/cloud/transcript.ts';
import { trustedPost } from '../../transcoder/engines/speech/cloud/trusted-post.ts';
import { wave16 } from '../../transcoder/engines/speech/wave.ts';
import type { Post } from '../../transcoder/model/post.ts';
import type { SpeechEndpoint } from '../../transcoder/model/speech-endpoint.ts';
import { TaskFailure } from '../../transcoder/model/task-failure.ts';
import { guardedPost } from '../../transcoder/source/guarded-post.ts';
import { makeCertificate, startOrigin } from './sources/origin.ts';

const KEY = 'sk-caller-0123456789abcdef';
/** What no caller may read: what the other server said, where it is, the key. */
const leak = /secret of the server|127\.0\.0\.1|sk-caller|ECONN|http:/;

let url: string;
let asked = 0;
let answer: (response: ServerResponse) => void;
const server = createServer(async (request, response) => {
  for await (const _ of request);
  asked += 1;
  answer(response);
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = 0;
});

const endpoint = (more: Partial<SpeechEndpoint> = {}): SpeechEndpoint => ({
  ...{ whose: 'caller', url, key: KEY, voice: 'alloy', post: trustedPost },
  models: { transcription: 'whisper-1', speech: 'tts-1' },
  ...more,
});
const sound = wave16(Buffer.alloc(32_000), 16_000);
const hear = (more: Partial<SpeechEndpoint> = {}) =>
  transcribeWith(endpoint(more), { language: null, vocabulary: [] })(sound, 1);
const speak = (more: Partial<SpeechEndpoint> = {}) =>
  speakWith(endpoint(more), { text: 'Hello', voice: 'alloy', speed: 1 });

async function failureOf(work: Promise<unknown>): Promise<TaskFailure> {
  const failed = await work.then(
    () => null,
    (error: unknown) => error,
  );
  expect(failed).toBeInstanceOf(TaskFailure);
  expect((failed as TaskFailure).message).not.toMatch(leak);
  return failed as TaskFailure;
}

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end('the secret of the server');
const json = (value: unknown) => (response: ServerResponse) => void response.end(JSON.stringify(value));
const text = (value: string | Buffer) => (response: ServerResponse) => void response.end(value);

describe('a bad answer of a speech API', () => {
  test.each<[string, (response: ServerResponse) => void, string, RegExp, number]>([
    ['401', status(401), 'provider_rejected_key', /rejected your key \(status 401\)/, 1],
    ['403', status(403), 'provider_rejected_key', /may use the model `whisper-1`/, 1],
    ['404', status(404), 'engine_unavailable', /no model `whisper-1`.*X-Speech-Api-Model/, 1],
    ['405', status(405), 'engine_unavailable', /X-Speech-Api-Url/, 1],
    ['413', status(413), 'engine_unavailable', /of 33 kB.*1 MB/, 1],
    ['429', status(429), 'engine_failed', /limits your requests/, 3],
    ['429 with Retry-After', status(429, { 'retry-after': '1' }), 'engine_failed', /limits/, 3],
    ['503 with Retry-After', status(503, { 'retry-after': '0' }), 'engine_failed', /status 503/, 3],
    ['503', status(503), 'engine_failed', /status 503/, 1],
    ['500', status(500), 'engine_failed', /status 500/, 1],
    ['502', status(502), 'engine_failed', /status 502/, 1],
    // The three shapes, each once.
    ['400', status(400), 'engine_unavailable', /refuses the request/, 3],
    ['422', status(422), 'engine_unavailable', /refuses the request/, 3],
    [
      'a redirect',
      status(307, { location: '/v1/audio/transcriptions' }),
      'engine_unavailable',
      /redirects/,
      1,
    ],
    ['no JSON', text('<html>the secret of the server'), 'engine_failed', /valid response/, 1],
    ['half a JSON', text('{"text": "the secret of the server'), 'engine_failed', /valid response/, 1],
    [
      'an error with status 200',
      json({ error: { message: 'the secret of the server' } }),
      'engine_failed',
      /valid/,
      1,
    ],
    ['a list', json(['the secret of the server']), 'engine_failed', /valid response/, 1],
    ['null', json(null), 'engine_failed', /valid response/, 1],
    ['no text', json({ text: 7 }), 'engine_failed', /valid response/, 1],
    [
      'nothing',
      (response) => void response.socket?.resetAndDestroy(),
      'engine_failed',
      /complete response/,
      1,
    ],
    [
      'less than it announced',
      (response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('{"text":');
        setTimeout(() => response.destroy(), 20);
      },
      'engine_failed',
      /complete response/,
      1,
    ],
    ['9 MB', text(Buffer.alloc(9 * 1024 * 1024, 0x20)), 'engine_failed', /complete response/, 1],
  ])(
    '%s ends as it should, is asked again only if that is safe, and quotes nothing',
    async (_, given, code, says, times) => {
      answer = given;
      const failed = await failureOf(hear());
      expect(failed.code).toBe(code);
      expect(failed.message).toMatch(says);
      expect(asked).toBe(times);
    },
  );

  test('that comes too slowly ends after its time', async () => {
    answer = (response) => {
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    };
    const request = {
      path: '/v1/audio/speech',
      model: 'm',
      headers: {},
      body: new Uint8Array(1),
      mostBytes: 1e6,
    } as const;
    const failed = await failureOf(askEndpoint(endpoint(), { ...request, read: String }, undefined, 300));
    expect(failed).toMatchObject({
      code: 'engine_failed',
      message: 'Your speech API took too long to respond.',
    });
    expect(asked).toBe(1);
  });

  test('is not blamed on the caller, who cannot change it, if the API is the operator’s', async () => {
    for (const code of [401, 404, 413, 400]) {
      answer = status(code);
      const failed = await failureOf(hear({ whose: 'operator' }));
      expect(failed.code).toBe('engine_unavailable');
      expect(failed.message).toMatch(/^The speech API of this service .* Choose another engine\.$/);
      expect(failed.message).not.toContain('X-Speech');
    }
  });

  test('a closed port is engine_unavailable, after its tries', async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    const failed = await failureOf(hear({ url: `http://127.0.0.1:${port}` }));
    expect(failed.code).toBe('engine_unavailable');
    expect(failed.message).toContain('opens from the public internet');
  });

  describe.each<[string, (origin: string) => Post]>([
    [
      'to a caller',
      (origin) => guardedPost({ rules: { devOrigins: new Set([origin]), ownHosts: new Set() } }),
    ],
    ['to the operator', () => trustedPost],
  ])('what is sent %s', (_, postTo) => {
    test('and to a server with a certificate of its own is engine_unavailable at once, and names it', async () => {
      const origin = await startOrigin((_, response) => void response.end('{}'), makeCertificate());
      const failed = await failureOf(hear({ url: origin.url, post: postTo(origin.url) }));
      const connections = origin.connections();
      await origin.close();
      expect(failed.code).toBe('engine_unavailable');
      expect(failed.message).toMatch(/^The TLS certificate of your speech API is not valid\./);
      expect(connections).toBe(1);
    });

    test('and over TLS to a server without it is engine_unavailable', async () => {
      const origin = await startOrigin((_, response) => void response.end('{}'));
      const url = origin.url.replace('http:', 'https:');
      const failed = await failureOf(hear({ url, post: postTo(url) }));
      await origin.close();
      expect(failed.code).toBe('engine_unavailable');
      expect(failed.message).toContain('could not be reached');
    });
  });

  test('says which header is missing if no key was sent', async () => {
    answer = status(401);
    expect((await failureOf(hear({ key: null }))).message).toContain('needs a key in X-Speech-Api-Key');
  });

  test.each<[string, Buffer]>([
    ['MP3', Buffer.from('ID3\x04the secret of the server')],
    ['a JSON', Buffer.from('{"error":"the secret of the server"}')],
    ['nothing', Buffer.alloc(0)],
    ['a WAVE file without samples', wave16(Buffer.alloc(0), 24_000)],
    ['a WAVE file at 1 Hz', wave16(Buffer.alloc(100), 1)],
    ['half a head', wave16(Buffer.alloc(100), 24_000).subarray(0, 30)],
  ])('%s in place of a voice is engine_failed', async (_, body) => {
    answer = text(body);
    expect((await failureOf(speak())).code).toBe('engine_failed');
    expect(asked).toBe(1);
  });
});

describe('a transcript', () => {
  const say = (words: [string, number, number][], more: object = {}) => ({
    text: words.map(([word]) => word).join(' '),
    words: words.map(([word, start, end]) => ({ word, start, end })),
    ...more,
  });
  const times = (answer: unknown, seconds = 10) =>
    transcriptOf(answer, seconds).words.map(({ text, start, end }) => [text, start, end]);

  test('keeps the punctuation of the text and the times of the words', () => {
    const given = say([
      ['hello', 1, 1.5],
      ['twenty', 2, 2.2],
      ['five', 2.2, 2.5],
      ['dont', 3, 3.5],
    ]);
    expect(times({ ...given, text: 'Hello, twenty-five — don’t!' })).toEqual([
      ['Hello,', 1, 1.5],
      ['twenty-five —', 2, 2.5],
      ['don’t!', 3, 3.5],
    ]);
  });

  test('keeps the words as they are if the text has others', () => {
    expect(
      times({
        ...say([
          [' one', 1, 2],
          [' two', 2, 3],
        ]),
        text: 'Something else',
      }),
    ).toEqual([
      ['one', 1, 2],
      ['two', 2, 3],
    ]);
  });

  test('joins no words of a script without spaces', () => {
    const { words } = transcriptOf(
      {
        ...say([
          ['你', 1, 1.2],
          ['好', 1.2, 1.5],
        ]),
        text: '你好',
      },
      5,
    );
    expect(words.map(({ text }) => text).join('')).toBe('你好');
    expect(words.every(({ glued }, index) => glued === index > 0)).toBe(true);
  });

  test.each<[string, [string, number, number][]]>([
    [
      'in milliseconds',
      [
        ['one', 1000, 1500],
        ['two', 2000, 2500],
      ],
    ],
    [
      'in nanoseconds',
      [
        ['one', 1e9, 2e9],
        ['two', 2e9, 3e9],
      ],
    ],
    [
      'backwards',
      [
        ['one', 5, 6],
        ['two', 1, 2],
      ],
    ],
    [
      'with ends before their starts',
      [
        ['one', 2, 1],
        ['two', 3, 2],
      ],
    ],
    [
      'negative',
      [
        ['one', -50, -40],
        ['two', -30, -20],
      ],
    ],
    [
      'all at one moment',
      [
        ['one', 0, 0],
        ['two', 0, 0],
        ['three', 0, 0],
      ],
    ],
  ])('with times %s gets guesses inside the sound, and says so', (_, words) => {
    const { words: placed, guesses } = transcriptOf(say(words), 10);
    expect(guesses).toEqual([{ start: 0, end: 10, from: 0, to: words.length }]);
    expect(placed.map(({ text }) => text)).toEqual(words.map(([word]) => word));
    let before = 0;
    for (const { start, end } of placed) {
      expect(start).toBeGreaterThanOrEqual(before);
      expect(end).toBeGreaterThan(start);
      before = end;
    }
    expect(before).toBeLessThanOrEqual(10);
  });

  test('that rounds over the end of its sound stays inside it', () => {
    expect(
      times(
        say([
          ['one', 9.5, 10.4],
          ['two', 10.4, 10.8],
        ]),
      ),
    ).toEqual([
      ['one', 9.5, 10],
      ['two', 10, 10],
    ]);
  });

  test('has its words one after another, also where their times overlap', () => {
    expect(
      times(
        say([
          ['one', 1, 2.1],
          ['two', 2, 2.6],
          ['three', 2.5, 3],
          ['four', 2.4, 3.2],
        ]),
      ),
    ).toEqual([
      ['one', 1, 2],
      ['two', 2, 2.5],
      ['three', 2.5, 2.5],
      ['four', 2.5, 3.2],
    ]);
  });

  test('of more words than anybody says is none', () => {
    const words = Array.from({ length: 2000 }, (_, at): [string, number, number] => [
      'a',
      at / 200,
      at / 200,
    ]);
    for (const answer of [say(words), { text: 'a '.repeat(2000) }]) {
      expect(() => transcriptOf(answer, 10)).toThrow();
      expect(transcriptOf(answer, 100).words).toHaveLength(2000);
    }
  });

  test('of a silence has no words, also if Whisper invents some', () => {
    expect(times({ text: '', segments: [], words: [] })).toEqual([]);
    const silent = {
      start: 0,
      end: 2,
      text: ' Thanks for watching.',
      no_speech_prob: 0.9,
      avg_logprob: -1.4,
    };
    expect(times({ text: 'Thanks for watching.', segments: [silent] })).toEqual([]);
  });
});
