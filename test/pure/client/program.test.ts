import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answers, completedTask, json, type StandIn, standIn } from './stand-in.ts';

const bundled = mkdtempSync(join(tmpdir(), 'spool-bundled-'));
const program = join(bundled, 'cli.mjs');
let folder: string;
let service: StandIn | undefined;
beforeAll(async () => {
  const entry = join(import.meta.dirname, '../../../client/cli/main.ts');
  const options = { bundle: true, format: 'esm', platform: 'node', target: 'es2022' } as const;
  await build({ ...options, entryPoints: [entry], outfile: program, logLevel: 'silent' });
});
afterAll(() => rmSync(bundled, { recursive: true, force: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-program-'));
});
afterEach(() => {
  service?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs `spool` in the folder. */
async function spool(
  args: readonly string[],
  answers: Answers = {},
  meanwhile?: (child: ChildProcess) => void,
  env: Record<string, string> = { SPOOL_API_KEY: 'key' },
) {
  service = await standIn(answers);
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...process.env, SPOOL_URL: service.url, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  meanwhile?.(child);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [code, out, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, out, errors, calls: service.calls };
}

const write = (name: string) => writeFileSync(join(folder, name), `my ${name}`);
const contents = () =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

describe('a result', () => {
  beforeEach(() => {
    for (const name of ['cut.mp4', 'talk.mp4']) write(name);
  });
  const mine = { 'cut.mp4': 'my cut.mp4', 'talk.mp4': 'my talk.mp4' };

  it.each([
    [[], { 'cut-1.mp4': 'the cut' }],
    [['--file', 'captions_srt'], { 'talk-1.mp4': 'the captions' }],
    [['--all'], { 'cut-1.mp4': 'the cut', 'talk-1.mp4': 'the captions' }],
  ])('without -o and with %j replaces no file', async (flags, saved) => {
    const { out, errors } = await spool(['cut', 'talk.mp4', '--duration', '1', ...flags]);
    expect(errors).toBe('');
    expect(contents()).toEqual({ ...mine, ...saved });
    expect(out).toBe(
      Object.keys(saved)
        .map((name) => `${name}\n`)
        .join(''),
    );
  });

  it.each([
    ['cut.mp4', ['-o', '.']],
    ['talk.mp4', ['-o', './', '--file', 'captions_srt']],
    ['talk.mp4', ['-o', '.', '--all']],
  ])('does not replace the source %s in a folder: %j', async (source, flags) => {
    const { code, errors } = await spool(['cut', source, '--duration', '1', ...flags]);
    expect(errors).toContain(`error: ${source} is the source, which the result would replace.`);
    expect(errors).toContain('`spool wait task_1 -o PATH` saves its result');
    expect(code).toBe(1);
    expect(contents()).toEqual(mine);
  });

  it('of -o with a path of standard output is all that is printed, as with -o -', async () => {
    // Not /dev/stdout: a program that is wrong would replace that of this machine.
    const { code, out, errors } = await spool(['cut', 'talk.mp4', '--duration', '1', '-o', '/dev/fd/1']);
    expect([code, out, errors]).toEqual([0, 'the cut', '']);
    expect(contents()).toEqual(mine);
  });

  it('replaces another file at the path of -o', async () => {
    const { errors } = await spool(['cut', 'talk.mp4', '--duration', '1', '-o', '.']);
    expect(errors).toBe('');
    expect(contents()).toEqual({ ...mine, 'cut.mp4': 'the cut' });
  });
});

describe('a command', () => {
  const url = 'https://media.example.com/talk.mp4';

  it.each(['--quiet', '--no-wait'])(
    'that is interrupted while its task is being created deletes it: %s',
    async (flag) => {
      let child: ChildProcess | undefined;
      const create: Answers[string] = (_, response) => {
        child?.kill('SIGINT');
        setTimeout(() => response.writeHead(202).end(JSON.stringify({ id: 'task_1' })), 300);
      };
      const args = ['cut', url, '--duration', '1', flag];
      const { code, calls, out } = await spool(args, { 'POST /cut': create }, (started) => {
        child = started;
      });
      expect(calls).toEqual(['POST /cut', 'DELETE /task/task_1']);
      expect([code, out]).toEqual([130, '']);
    },
  );

  const lost = { 'GET /task/task_1': json(401, { code: 'unauthorized', detail: 'The key was revoked.' }) };

  it.each([[['cut', url, '--duration', '1']], [['wait', 'task_1']]])(
    'that loses the service names the task that runs on: %j',
    async (args) => {
      const { code, errors } = await spool(args, lost);
      expect(errors).toContain('error: The key was revoked.\n');
      expect(errors).toContain('fix   The task runs on: `spool wait task_1` waits for it again');
      expect(errors).toContain('task  task_1\n');
      expect(code).toBe(4);
    },
  );

  it.each([
    [['cut', url, '--duration', '1'], 'There is no key for', 'Run `spool login`, or set SPOOL_API_KEY'],
    [['usage'], 'There is no key for', 'Run `spool login`, or set SPOOL_API_KEY'],
    [['login'], 'No key was given.', 'Give one that you have created at'],
  ])('without a key says how to get one, and sends nothing: %j', async (args, detail, fix) => {
    const none = { SPOOL_API_KEY: '', XDG_CONFIG_HOME: folder };
    const { code, calls, errors } = await spool(args, {}, undefined, none);
    expect(errors).toContain(`error: ${detail}`);
    expect(errors).toContain(`  fix   ${fix}`);
    expect(errors).toContain('  code  missing_api_key\n');
    expect(errors).toContain('/docs/errors/missing_api_key\n');
    expect([code, calls]).toEqual([4, []]);
  });

  it('with a key that cannot be sent says so, and sends nothing', async () => {
    const { code, calls, errors } = await spool(['usage'], {}, undefined, { SPOOL_API_KEY: 'spool_live_…' });
    expect(errors).toContain('error: The key has a character that no key has');
    expect(errors).toContain('/docs/errors/invalid_api_key\n');
    expect([code, calls]).toEqual([4, []]);
  });

  it.each([
    ['login', [], 'https://new.example.com', ' Did you mean --url https://new.example.com?'],
    ['logout', [], 'now', ''],
    ['tasks', [], 'failed', ''],
    ['wait', ['task_1'], 'task_2', ''],
    ['open', ['task_1'], 'task_2', ''],
    ['usage', [], '2026-11-01', ''],
    ['listen', ['http://127.0.0.1:9'], 'http://127.0.0.1:8', ' Did you mean --url http://127.0.0.1:8?'],
    ['completion', ['bash'], 'zsh', ''],
  ])('that is given one word too many says so, and sends nothing: %s', async (name, words, extra, meant) => {
    const { code, calls, errors } = await spool([name, ...words, extra]);
    expect(errors).toBe(
      `error: "${extra}" is one word too many for spool ${name}.${meant} See spool ${name} --help.\n`,
    );
    expect([code, calls]).toEqual([2, []]);
  });

  const planned = { ...completedTask, output: null, plan: { duration: 2 } };

  it.each([
    [
      'validation_failed',
      '/size_bytes',
      'The file has 7 bytes; the basic plan allows sources of at most 5 bytes.',
    ],
    ['validation_failed', '/file_name', 'must be a file name without a path'],
    ['upload_storage_full', '/size_bytes', 'The basic plan stores 5 bytes of uploads.'],
  ])('whose upload is refused names the file, and no flag: %s at %s', async (code, pointer, detail) => {
    write('my.mp4');
    const errors = [{ pointer, code: 'plan_limit', detail: `${pointer}: ${detail}` }];
    const refused = json(code === 'validation_failed' ? 422 : 409, {
      code,
      detail: errors[0]?.detail,
      errors,
    });
    const args = ['cut', 'my.mp4', '--duration', '1'];
    const said = await spool(args, { 'POST /uploads': refused });
    expect(said.errors).toContain(`error: my.mp4: ${detail}\n  code  ${code}\n`);
    expect(said.errors).not.toMatch(/--size-bytes|--file-name/);
    service?.close();
    const { error } = JSON.parse((await spool([...args, '--json'], { 'POST /uploads': refused })).errors);
    expect(error).toMatchObject({ detail: `my.mp4: ${detail}`, fields: [] });
  });

  it('that is given an empty file says so, and sends nothing', async () => {
    writeFileSync(join(folder, 'empty.mp4'), '');
    const { code, calls, errors } = await spool(['cut', 'empty.mp4', '--duration', '1']);
    expect([code, calls, errors]).toEqual([2, [], 'error: empty.mp4 is empty.\n']);
  });

  it('that waits for a dry run prints its plan', async () => {
    const { code, out } = await spool(['wait', 'task_1'], { 'GET /task/task_1': json(200, planned) });
    expect([code, JSON.parse(out)]).toEqual([0, { duration: 2 }]);
  });

  it('that waits for a task without files says only that', async () => {
    const none = json(200, { ...planned, plan: null });
    const { code, errors } = await spool(['wait', 'task_1'], { 'GET /task/task_1': none });
    expect(errors).toContain('error: Task task_1 has no files: it is completed.\n');
    expect(errors).not.toContain('spool wait');
    expect(code).toBe(1);
  });

  it('names the pages of the service that it asked', async () => {
    const other = await standIn({ 'GET /account': json(401, { code: 'invalid_api_key', detail: 'No.' }) });
    const { errors } = await spool(['usage', '--url', other.url]);
    other.close();
    expect(errors).toContain(`docs  ${other.url}/docs/errors/invalid_api_key`);
  });

  it.runIf(process.platform === 'linux').each([
    ['Ctrl-C', '\x03'],
    ['Ctrl-D', '\x04'],
  ])('that asks for the key is interrupted by %s', async (_, pressed) => {
    // A terminal, as `script` of util-linux gives one.
    const child = spawn('script', ['-qec', `'${process.execPath}' '${program}' login`, '/dev/null'], {
      env: { ...process.env, SPOOL_URL: 'https://spool.example.com', XDG_CONFIG_HOME: folder },
    });
    child.stdout.once('data', () => child.stdin.write(pressed));
    const ended = new Promise((resolve) => child.once('close', resolve));
    const [code, shown] = await Promise.all([ended, text(child.stdout)]);
    expect(shown).toBe(
      'Key for https://spool.example.com (create one at https://spool.example.com/app): \r\nerror: Interrupted.\r\n',
    );
    expect(code).toBe(130);
  });

  it.runIf(process.platform === 'linux').each(['unique-name.txt', 'blank name.txt', 'clip[1].mp4'])(
    'is given the whole name %s that bash completes',
    async (name) => {
      write(name);
      // What the brackets of another name would stand for.
      write('clip1.mp4');
      const rc = join(folder, 'rc');
      const completion = `source <('${process.execPath}' '${program}' completion bash)`;
      writeFileSync(rc, `${completion}\nspool() { printf 'given:%s:\\n' "$2"; exit; }\nPS1='ready'\n`);
      const child = spawn('script', ['-qec', `bash --noprofile --rcfile '${rc}' -i`, '/dev/null'], {
        ...{ cwd: folder, env: { ...process.env, INPUTRC: '/dev/null', TERM: 'dumb' } },
      });
      child.stdout.once('data', () => child.stdin.write(`spool cut ${name.slice(0, 5)}\t\n`));
      expect(await text(child.stdout)).toContain(`given:${name}:`);
    },
    30_000,
  );

  /** Lists another ended task at every question, after connections that break as often as this once it listens. */
  async function listeningService(breaks = 0) {
    let tasks = 0;
    const ended = () => ({ ...completedTask, object: 'task', id: `task_${String(tasks).padStart(3, '0')}` });
    service = await standIn({
      'GET /webhooks/secret': json(200, { secret: `whsec_${Buffer.alloc(24).toString('base64')}` }),
      'GET /tasks': (request, response) => {
        const byStatus = request.url?.includes('status=');
        if (!byStatus && tasks > 0 && breaks-- > 0) return void response.destroy();
        tasks += 1;
        json(200, { data: byStatus ? [] : [ended()], has_more: false, next_cursor: null })(request, response);
      },
    });
    return { ...process.env, SPOOL_URL: service.url, SPOOL_API_KEY: 'key' };
  }

  it('that listens ends once its output is read no further', async () => {
    const line = 'timeout 15 "$0" "$1" listen | head -1; echo "exit code $PIPESTATUS"';
    const child = spawn('bash', ['-c', line, process.execPath, program], {
      env: await listeningService(),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect(await text(child.stdout)).toMatch(/^\{"object":"event".*\}\nexit code 0\n$/);
  }, 20_000);

  it('that listens goes on after an outage, and prints what ended in it', async () => {
    const line = 'timeout 50 "$0" "$1" listen | head -1';
    const child = spawn('bash', ['-c', line, process.execPath, program], {
      env: await listeningService(6),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(out).toMatch(/^\{"object":"event".*\}\n$/);
    expect(errors.match(/cannot be reached\. Listening goes on when the service is back\.\n/g)).toHaveLength(
      1,
    );
  }, 60_000);

  it('whose task is deleted elsewhere says only that', async () => {
    const gone = json(404, { code: 'not_found', detail: 'There is no such task.' });
    const { code, errors } = await spool(['cut', url, '--duration', '1'], { 'GET /task/task_1': gone });
    expect(errors).not.toContain('spool wait');
    expect(code).toBe(3);
  });
});
