import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig, variables } from '../../transcoder/env.ts';

const needed = {
  TRANSCODER_SECRET: 'x'.repeat(32),
  S3_ENDPOINT: 'https://account.r2.cloudflarestorage.com',
  S3_BUCKET: 'files',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
};

test('what must be set is enough, and the rest has the defaults of the table', () => {
  expect(parseConfig(needed)).toMatchObject({
    port: 8788,
    slots: 1,
    line: 2,
    s3Region: 'auto',
    environment: 'production',
    devOrigins: new Set(),
  });
});

test('directories may be relative, and are passed on as they are from everywhere', () => {
  expect(parseConfig({ ...needed, WORK_DIR: 'work', MODELS_DIR: './models/' })).toMatchObject({
    workDir: resolve('work'),
    modelsDir: resolve('models'),
  });
  expect(parseConfig({ ...needed, MODELS_DIR: '/srv/models' }).modelsDir).toBe('/srv/models');
});

test('an empty value is the same as none', () => {
  expect(parseConfig({ ...needed, PORT: '', SLOTS: '' })).toMatchObject({ port: 8788, slots: 1 });
});

test('every variable that is missing or wrong is named, at once', () => {
  const broken = { ...needed, S3_BUCKET: '', PORT: '80a', SLOTS: '0', TRANSCODER_SECRET: 'short' };
  for (const name of ['S3_BUCKET', 'PORT', 'SLOTS', 'TRANSCODER_SECRET']) {
    expect(() => parseConfig(broken)).toThrow(name);
  }
});

test.each([
  ['PORT', '80a', 'PORT: must be a whole number from 0 to 65535; it is "80a"'],
  ['SLOTS', '65', 'SLOTS: must be a whole number from 1 to 64; it is "65"'],
  ['SANDBOX', 'jail', 'SANDBOX: must be one of auto, bwrap, unshare, none; it is "jail"'],
  ['S3_ENDPOINT', 'r2', 'S3_ENDPOINT: must be an http or https URL; it is "r2"'],
  ['S3_BUCKET', '', 'S3_BUCKET: must be set. Name of the bucket for results.'],
  [
    'SPOOL_DEV_DNS',
    'localhost',
    'SPOOL_DEV_DNS: must be 127.0.0.1 and a port, such as 127.0.0.1:5353; it is "localhost"',
  ],
])('a wrong %s is shown, with what is allowed', (name, value, message) => {
  expect(() => parseConfig({ ...needed, [name]: value })).toThrow(message);
});

test('a secret is not shown', () => {
  const wrong = () => parseConfig({ ...needed, TRANSCODER_SECRET: 'hunter2' });
  expect(wrong).toThrow('TRANSCODER_SECRET: must be at least 32 characters; the value is not shown');
  expect(wrong).not.toThrow('hunter2');
});

test.each(['http://127.0.0.1:9000', 'http://localhost:1,https://[::1]:2', ' http://127.0.0.2:3/ '])(
  'development takes the loopback origins %j',
  (text) => {
    const config = parseConfig({ ...needed, SPOOL_ENV: 'development', SPOOL_DEV_ORIGINS: text });
    expect(config.devOrigins).toEqual(new Set(text.split(',').map((part) => new URL(part.trim()).origin)));
  },
);

test.each([
  'http://10.0.0.1:9000',
  'http://*:80',
  'localhost:80',
  'http://127.0.0.1:80/path',
  'ftp://127.0.0.1',
])('and refuses %j', (text) => {
  const env = { ...needed, SPOOL_ENV: 'development', SPOOL_DEV_ORIGINS: text };
  expect(() => parseConfig(env)).toThrow('SPOOL_DEV_ORIGINS');
});

test.each([
  ['SPOOL_DEV_ORIGINS', 'http://127.0.0.1:9000'],
  ['SPOOL_DEV_DNS', '127.0.0.1:53'],
])('production refuses to start with %s', (name, value) => {
  expect(() => parseConfig({ ...needed, [name]: value })).toThrow(
    `${name}: must not be set unless SPOOL_ENV is development`,
  );
});

test('a name server of development is on loopback', () => {
  const development = { ...needed, SPOOL_ENV: 'development' };
  expect(parseConfig({ ...development, SPOOL_DEV_DNS: '127.0.0.1:5353' }).devDns).toBe('127.0.0.1:5353');
  for (const text of ['10.0.0.1:53', 'localhost:53', '127.0.0.1', '127.0.0.1:53 ']) {
    expect(() => parseConfig({ ...development, SPOOL_DEV_DNS: text })).toThrow('SPOOL_DEV_DNS');
  }
});

test('each variable is documented and named once', () => {
  const rows = Object.values(variables);
  expect(rows.every(({ doc }) => doc.length > 10)).toBe(true);
  expect(new Set(rows.map(({ env }) => env)).size).toBe(rows.length);
});

test('a speech API needs its URL and one of its models', () => {
  const url = { SPEECH_API_URL: 'https://api.groq.com/openai/v1/' };
  expect(() => parseConfig({ ...needed, ...url })).toThrow(
    'SPEECH_API_TRANSCRIPTION_MODEL or SPEECH_API_SPEECH_MODEL',
  );
  expect(() => parseConfig({ ...needed, SPEECH_API_SPEECH_MODEL: 'tts-1' })).toThrow(
    'SPEECH_API_URL: must be set',
  );
  expect(parseConfig({ ...needed, ...url, SPEECH_API_TRANSCRIPTION_MODEL: 'whisper-1' })).toMatchObject({
    speechApiUrl: url.SPEECH_API_URL,
    speechApiTranscription: 'whisper-1',
    speechApiVoice: 'alloy',
  });
  expect(variables.speechApiKey.secret).toBe(true);
});
