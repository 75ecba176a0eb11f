import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeCertificate, type Origin, startOrigin } from './sources/origin.ts';

const root = join(import.meta.dirname, '..', '..');
const directory = mkdtempSync(join(tmpdir(), 'spool-test-models-'));
const models = join(directory, 'models');
const weights = Buffer.from('weights '.repeat(1000));
const sha256 = createHash('sha256').update(weights).digest('hex');

let origin: Origin;
let served: Buffer | null;

beforeAll(async () => {
  const tls = makeCertificate();
  await writeFile(join(directory, 'ca.pem'), tls.cert);
  origin = await startOrigin((request, response) => {
    if (request.url === '/elsewhere')
      return void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end();
    response.writeHead(served ? 200 : 404).end(served ?? '');
  }, tls);
});
afterAll(async () => {
  await origin.close();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => {
  rmSync(models, { recursive: true, force: true });
  mkdirSync(models);
  served = weights;
});

async function run(args: string[], change: object = {}, path = 'net.onnx') {
  const model = {
    ...{ id: 'tiny', engine: 'kokoro', set: 'tts', dir: 'tiny', memory_mb: 1 },
    license: { spdx: 'MIT', attribution: 'us', commercial: true },
    files: [{ role: 'model', path: 'net.onnx', url: `${origin.url}/${path}`, bytes: weights.length, sha256 }],
    ...change,
  };
  await writeFile(
    join(directory, 'manifest.json'),
    JSON.stringify({ hashes_verified: false, models: [model] }),
  );
  const command = ['scripts/models.ts', ...args, '--manifest', join(directory, 'manifest.json')];
  const env = { PATH: process.env.PATH, MODELS_DIR: models, NODE_EXTRA_CA_CERTS: join(directory, 'ca.pem') };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: root, env });
    return { code: 0, said: stdout };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, said: stdout + stderr };
  }
}

test('a model is fetched, listed and verified, and fetched once', async () => {
  expect((await run(['list'])).said).toContain('missing: ');
  expect(await run(['fetch', '--set', 'tts'])).toMatchObject({ code: 0 });
  expect(await readFile(join(models, 'tiny/net.onnx'))).toEqual(weights);
  const before = origin.connections();
  expect((await run(['fetch'])).said).toContain('tiny/net.onnx is there');
  expect(origin.connections()).toBe(before);
  expect((await run(['list'])).said).toMatch(/tiny.*MIT.* installed/);
  expect((await run(['verify'])).said).toContain('tiny/net.onnx is correct');
});

test('verify finds a file of the right length whose content is another', async () => {
  await run(['fetch']);
  await writeFile(join(models, 'tiny/net.onnx'), Buffer.alloc(weights.length));
  const { code, said } = await run(['verify']);
  expect(code).toBe(1);
  expect(said).toContain(`not ${sha256}`);
});

test.each([
  ['is longer', () => Buffer.concat([weights, weights]), 'is longer than'],
  ['is shorter', () => weights.subarray(1), 'bytes, not'],
  ['is another of the same length', () => Buffer.alloc(weights.length), 'has the hash'],
  ['is not there', () => null, 'answered 404'],
])('a download that %s is refused and leaves nothing', async (_, content, reason) => {
  served = content();
  const { code, said } = await run(['fetch']);
  expect(code).toBe(1);
  expect(said).toContain(reason);
  expect(
    readdirSync(models, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
  ).toEqual([]);
});

test('only https is spoken, and a model for other than commercial use has to be wanted', async () => {
  expect((await run(['fetch'], {}, 'elsewhere')).code).toBe(1);
  const url = origin.url.replace('https', 'http');
  const files = [{ role: 'model', path: 'net.onnx', url: `${url}/net.onnx`, bytes: 1, sha256 }];
  expect((await run(['fetch'], { files })).code).toBe(1);
  const license = { spdx: 'CC-BY-NC-4.0', attribution: 'them', commercial: false };
  const { code, said } = await run(['fetch'], { license });
  expect(code).toBe(1);
  expect(said).toContain('ALLOW_NC_MODELS=1');
});

test('a set that does not exist is named', async () => {
  expect(await run(['fetch', '--set', 'tts,songs'])).toMatchObject({
    code: 2,
    said: expect.stringContaining('songs'),
  });
});
