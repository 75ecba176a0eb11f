import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stack, startStack } from '../e2e/stack.ts';
import { fixtures } from '../fixtures/make.ts';
import { withoutUnions } from './without-unions.ts';

const folder = join(import.meta.dirname, '../../.spool/generators');
const programs = join(folder, 'node_modules/.bin');
const run = promisify(execFile);
let stack: Stack;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json'])
    copyFileSync(join(import.meta.dirname, name), join(folder, name));
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
  stack = await startStack(fixtures);
  const document = await (await stack.service.request('/openapi.json')).json();
  writeFileSync(at('openapi.json'), JSON.stringify(document, null, 1));
});
afterAll(() => stack?.close());

const at = (name: string) => join(folder, name);
const environment = () => ({
  ...process.env,
  SPOOL_URL: stack.service.url.origin,
  SPOOL_API_KEY: stack.service.accounts.elite.key,
  VIDEO_URL: stack.media('plain.mp4'),
});

/** What a program prints, also if it ends with an error. */
const printed = (program: string, ...args: string[]) =>
  run(program, args, { cwd: folder, env: environment(), maxBuffer: 1 << 26 }).catch(
    (error: { stdout: string; stderr: string }) => {
      if (error.stdout === undefined) throw error;
      return error;
    },
  );

/** Compiles a program with strict types and runs it: it starts a cut and prints the task that has ended. */
async function runProgram(name: string, text: string): Promise<void> {
  writeFileSync(at(`${name}.ts`), text);
  const strict = ['--strict', '--skipLibCheck'];
  const target = [
    '--target',
    'es2022',
    '--module',
    'es2022',
    '--moduleResolution',
    'bundler',
    '--lib',
    'es2023,dom,dom.iterable',
  ];
  const tsc = await printed(join(programs, 'tsc'), ...strict, ...target, '--noEmit', `${name}.ts`);
  expect(tsc.stdout).toBe('');
  const { build } = await import('esbuild');
  await build({
    entryPoints: [at(`${name}.ts`)],
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile: at(`${name}.mjs`),
  });
  const { stdout, stderr } = await printed(process.execPath, `${name}.mjs`);
  expect([JSON.parse(stdout || 'null'), stderr]).toEqual([{ status: 'completed', seconds: 1 }, '']);
}

const env =
  'declare const process: { env: { SPOOL_URL: string; SPOOL_API_KEY: string; VIDEO_URL: string } };';
const report =
  'console.log(JSON.stringify({ status: task.status, seconds: Math.round(task.output?.duration ?? 0) }));';

describe('the OpenAPI document', () => {
  it('has no error for Redocly', async () => {
    const { stdout } = await printed(join(programs, 'redocly'), 'lint', 'openapi.json', '--format=json');
    const { totals } = JSON.parse(stdout) as { totals: { errors: number } };
    expect(totals.errors, stdout.slice(0, 2000)).toBe(0);
  });

  it('has no error for Spectral', async () => {
    writeFileSync(at('rules.yaml'), 'extends: ["spectral:oas"]\n');
    const { stdout } = await printed(
      join(programs, 'spectral'),
      'lint',
      '-r',
      'rules.yaml',
      '-f',
      'json',
      '-q',
      'openapi.json',
    );
    const found = JSON.parse(stdout.trim() || '[]') as { severity: number; code: string; path: string[] }[];
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter(({ severity }) => severity === 0)).toEqual([]);
  });
});

describe('a client that was generated with default options compiles and runs a job:', () => {
  it('openapi-typescript, with openapi-fetch', async () => {
    await printed(join(programs, 'openapi-typescript'), 'openapi.json', '-o', 'schema.d.ts');
    await runProgram(
      'fetch-job',
      `import createClient from 'openapi-fetch';
import type { paths } from './schema';
${env}
const { SPOOL_URL: baseUrl, SPOOL_API_KEY: key, VIDEO_URL: video_url } = process.env;
const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': key } });
const created = await client.POST('/cut', { body: { video_url, start: 1, duration: 1 } });
if (!created.data) throw new Error(created.error.detail);
let task = created.data;
while (task.status !== 'completed' && task.status !== 'failed') {
  const params = { path: { id: task.id }, query: { wait_seconds: 20 } };
  const polled = await client.GET('/task/{id}', { params });
  if (!polled.data) throw new Error(polled.error.detail);
  task = polled.data;
}
${report}
`,
    );
  });

  it('@hey-api/openapi-ts', async () => {
    await printed(join(programs, 'openapi-ts'), '-i', 'openapi.json', '-o', 'hey');
    await runProgram(
      'hey-job',
      `import { cut, getTask } from './hey';
import { client } from './hey/client.gen';
${env}
const { SPOOL_URL: baseUrl, SPOOL_API_KEY: key, VIDEO_URL: video_url } = process.env;
client.setConfig({ baseUrl, auth: key });
let { data: task } = await cut({ body: { video_url, start: 1, duration: 1 }, throwOnError: true });
while (task.status !== 'completed' && task.status !== 'failed') {
  const polled = await getTask({ path: { id: task.id }, query: { wait_seconds: 20 }, throwOnError: true });
  task = polled.data;
}
${report}
`,
    );
  });

  it('openapi-generator for Python, through OpenAPI 3.0 (Debian: default-jre-headless python3-urllib3 python3-dateutil)', async () => {
    const { webhooks: _, ...document } = (await (
      await stack.service.request('/openapi.json')
    ).json()) as Record<string, never>;
    writeFileSync(at('plain.json'), JSON.stringify(withoutUnions(document)));
    await printed(
      join(programs, 'openapi-down-convert'),
      '--input',
      'plain.json',
      '--output',
      'v30.json',
      '--allOf',
    );
    const jar = at('node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar');
    await run('java', ['-jar', jar, 'generate', '-g', 'python', '-i', 'v30.json', '-o', 'python'], {
      cwd: folder,
      maxBuffer: 1 << 26,
    });
    const job = `import json, os, sys
sys.path.insert(0, 'python')
import openapi_client as spool
env = os.environ
settings = spool.Configuration(host=env['SPOOL_URL'], api_key={'ApiKey': env['SPOOL_API_KEY'], 'X-API-Key': env['SPOOL_API_KEY']})
with spool.ApiClient(settings) as client:
    task = spool.VideoApi(client).cut(spool.CutInput(video_url=env['VIDEO_URL'], start=1, duration=1))
    while task.status not in ('completed', 'failed'):
        task = spool.TasksApi(client).get_task(task.id, wait_seconds=20)
    print(json.dumps({'status': task.status, 'seconds': round(task.output.duration)}))
`;
    writeFileSync(at('job.py'), job);
    const { stdout, stderr } = await printed('/usr/bin/python3', 'job.py');
    expect([stdout.trim(), stderr]).toEqual(['{"status": "completed", "seconds": 1}', '']);
  });
});
