import { execFile, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationNames, operations } from '../../schema/operations/index.ts';
import { type Task, task as taskSchema } from '../../schema/task/task.ts';
import { guides } from '../../worker/http/docs/guides/guides.ts';
import { operationPath } from '../../worker/http/docs/paths.ts';
import makeAssets from '../fixtures/assets.ts';
import { fixtures } from '../fixtures/make.ts';
import { sampled } from '../sampled.ts';
import { type Stack, startStack } from './stack.ts';

let stack: Stack;
let directory: string;

beforeAll(async () => {
  await makeAssets();
  directory = mkdtempSync(join(tmpdir(), 'spool-docs-'));
  stack = await startStack(fixtures, { readsItself: true });
  const { FILES } = (await stack.service.bindings()) as unknown as {
    FILES: { put(key: string, value: Uint8Array): Promise<unknown> };
  };
  await FILES.put('samples/sample.mp4', readFileSync(join(fixtures, 'speech-wide.mp4')));
});
afterAll(async () => {
  await stack?.close();
  rmSync(directory, { recursive: true, force: true });
});

const run = promisify(execFile);
const key = () => stack.service.accounts.elite.key;
const environment = () => ({ ...process.env, SPOOL_API_KEY: key() });

/** Pastes text into a shell that stops at the first error, in an empty folder. */
async function paste(script: string): Promise<{ stdout: string; folder: string }> {
  const folder = mkdtempSync(join(directory, 'shell-'));
  const options = { cwd: folder, env: environment(), maxBuffer: 1 << 26 };
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], options);
  return { stdout, folder };
}

async function pageAt(path: string): Promise<string> {
  const response = await stack.service.request(`${path}.md`);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
}

/** Code blocks of a page in one language. */
const blocks = (text: string, language: string) =>
  [...text.matchAll(/^```(\w+).*\n([\s\S]*?)\n```$/gm)].flatMap(([, lang, code = '']) =>
    lang === language ? [code] : [],
  );

async function expectCompleted(id: string): Promise<Task> {
  const ended = await stack.service.finished(id);
  expect([ended.operation, ended.status, ended.error]).toEqual([ended.operation, 'completed', null]);
  return ended;
}

describe('as pasted from the page of an operation', () => {
  it.each(sampled(operationNames, 4))('the first request to %s completes', async (name) => {
    const [first = ''] = blocks(await pageAt(operationPath(name)), 'sh');
    const { stdout } = await paste(first);
    const { output } = await expectCompleted(taskSchema.parse(JSON.parse(stdout)).id);
    const { role, media_type, data } = operations[name].exampleResult;
    expect(output?.files[0]).toMatchObject({ role, media_type });
    expect(Object.keys(output?.data ?? {}).sort()).toEqual(Object.keys(data).sort());
  });
});

describe('as pasted from a guide', () => {
  it.each(
    sampled(
      guides.map(({ path }) => path),
      3,
    ),
  )('every step of %s works', async (path) => {
    const text = await pageAt(path);
    const steps = blocks(text, 'sh');
    if (steps.length === 0) return expect(blocks(text, 'ts').length).toBeGreaterThan(0);
    const { folder } = await paste(steps.join('\n'));
    const listed = await stack.service.request('/tasks?limit=100', { key: key() });
    const { data } = (await listed.json()) as { data: { id: string }[] };
    for (const { id } of data) await expectCompleted(id);
    const saved = steps.join('\n').match(/^save |-o clip/gm)?.length ?? 0;
    expect(readdirSync(folder)).toHaveLength(saved);
  });

  it('a request that is refused ends a step at once, and shows why', async () => {
    const [functions = ''] = blocks(await pageAt('/docs/guides/vertical-short'), 'sh');
    const refused = paste(`${functions}\nTASK=$(run /cut '{}')`);
    await expect(refused).rejects.toMatchObject({ stderr: expect.stringContaining('validation_failed') });
    const [, , wait = ''] = blocks(await pageAt('/docs/quickstart'), 'sh');
    const { stdout } = await paste(`TASK=none\n${wait}`);
    expect(stdout).toContain('request_id');
  });

  it('the quickstart ends with a downloaded file', async () => {
    const [, ...steps] = blocks(await pageAt('/docs/quickstart'), 'sh');
    const { folder } = await paste(steps.join('\n'));
    expect(readdirSync(folder).filter((file) => file.endsWith('.mp4'))).toHaveLength(1);
  });

  it('one Idempotency-Key creates one task', async () => {
    const [request = ''] = blocks(await pageAt('/docs/requests'), 'sh');
    const { stdout } = await paste(`${request}; echo; ${request}`);
    const [first = '', second = ''] = stdout.trim().split('\n');
    expect(JSON.parse(second).id).toBe(JSON.parse(first).id);
  });
});

/** The samples that only the page for browsers has. */
async function sampleOf(language: string): Promise<string> {
  const page = await (await stack.service.request('/docs/operations/cut')).text();
  const found = new RegExp(`<code data-language="${language}">([\\s\\S]*?)</code>`).exec(page)?.[1] ?? '';
  return found
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');
}

const hasRequests = spawnSync('python3', ['-c', 'import requests']).status === 0;

describe('the same request', () => {
  const aFile = expect.stringMatching(/^http.*\/download\?file=video&expires=/);

  it('in TypeScript prints the address of the result', async () => {
    const file = join(directory, 'sample.ts');
    writeFileSync(file, await sampleOf('ts'));
    const { stdout } = await run(process.execPath, [file], { env: environment() });
    expect(stdout.trim()).toEqual(aFile);
  });

  it.skipIf(!hasRequests)(
    'in Python prints it too (skipped without python3 and its package requests)',
    async () => {
      const file = join(directory, 'sample.py');
      writeFileSync(file, await sampleOf('python'));
      const { stdout } = await run('python3', [file], { env: environment() });
      expect(stdout.trim()).toEqual(aFile);
    },
  );

  it('as a call of an MCP tool creates a task', async () => {
    const { method, params } = JSON.parse(await sampleOf('json'));
    expect(method).toBe('tools/call');
    const client = new Client({ name: 'reader', version: '1' });
    const requestInit = { headers: { 'x-api-key': key() } };
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', stack.service.url), { requestInit }),
    );
    const { structuredContent } = await client.callTool(params);
    await client.close();
    const created = structuredContent as { id: string; endpoint: string };
    expect(created.endpoint).toBe(operations[operationNames[0]].path);
    await expectCompleted(created.id);
  });
});

interface Runner {
  program: string;
  version: string;
  run: readonly string[];
  files: (code: string) => Record<string, string>;
}

describe('the verification of a webhook', () => {
  const secret = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`;
  const body = '{"type":"task.completed","ä":1}';
  const signed = (at: number, text = body) => {
    const mac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'));
    const signature = mac.update(`evt_1.${at}.${text}`).digest('base64');
    return {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(at),
      'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')} v1,${signature}`,
    };
  };
  const now = () => Math.floor(Date.now() / 1000);
  const cases = (): [Record<string, string>, boolean][] => [
    [signed(now()), true],
    [signed(now(), `${body} `), false],
    [signed(now() - 1000), false],
    [{ ...signed(now()), 'webhook-id': 'evt_2' }, false],
    [{ ...signed(now()), 'webhook-timestamp': 'soon' }, false],
    [{}, false],
  ];

  it('in TypeScript accepts what is signed, and nothing else', async () => {
    const [code = ''] = blocks(await pageAt('/docs/guides/verify-a-webhook'), 'ts');
    const file = join(directory, 'verify.ts');
    writeFileSync(file, code);
    const { isFromSpool } = await import(file);
    for (const [headers, right] of cases())
      expect(isFromSpool(new Headers(headers), body, secret)).toBe(right);
  });

  /** By language: its program, the arguments that come first, and the files of the script. */
  const runners: Record<string, Runner> = {
    python: {
      program: 'python3',
      version: '--version',
      run: ['verify.py'],
      files: (code) => ({
        'verify.py': `${code}\nimport json, sys\nfor headers in json.loads(sys.argv[1]): print(is_from_spool(headers, sys.argv[2].encode(), sys.argv[3]))`,
      }),
    },
    php: {
      program: 'php',
      version: '--version',
      run: ['verify.php'],
      files: (code) => ({
        'verify.php': `${code}
foreach (json_decode($argv[1], true) as $headers) {
    $named = fn (callable $spell) => array_combine(array_map($spell, array_keys($headers)), $headers);
    $decide = fn (array $headers) => is_from_spool($headers, $argv[2], $argv[3]) ? 'True' : 'False';
    // As proxies and HTTP/2 send them, as getallheaders() of a server with HTTP/1.1 returns them, and others.
    $decided = array_map($decide, [$headers, $named(fn ($name) => ucwords($name, '-')), $named('strtoupper')]);
    echo implode(' or ', array_unique($decided)), "\\n";
}`,
      }),
    },
    go: {
      program: 'go',
      version: 'version',
      run: ['run', '.'],
      files: (code) => ({
        'go.mod': 'module verify\n\ngo 1.19\n',
        'spool/verify.go': code,
        'main.go': `package main

import ("encoding/json"; "fmt"; "net/http"; "os"; "verify/spool")

func main() {
	var all []map[string]string
	if json.Unmarshal([]byte(os.Args[1]), &all) != nil { os.Exit(1) }
	for _, one := range all {
		header := http.Header{}
		for name, value := range one { header.Set(name, value) }
		if spool.IsFromSpool(header, []byte(os.Args[2]), os.Args[3]) { fmt.Println("True") } else { fmt.Println("False") }
	}
}
`,
      }),
    },
  };

  for (const [language, runner] of Object.entries(runners)) {
    const { program, version, files } = runner;
    const missing = spawnSync(program, [version]).status !== 0;
    it.skipIf(missing)(`in ${language} decides the same (skipped without ${program})`, async () => {
      const [code = ''] = blocks(await pageAt('/docs/guides/verify-a-webhook'), language);
      const folder = join(directory, language);
      for (const [name, text] of Object.entries(files(code))) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
      const all = cases();
      const headers = JSON.stringify(all.map(([one]) => one));
      const { stdout } = await run(program, [...runner.run, headers, body, secret], { cwd: folder });
      expect(stdout.trim().split('\n')).toEqual(all.map(([, right]) => (right ? 'True' : 'False')));
    });
  }
});
