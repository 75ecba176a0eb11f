import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { login } from '../../../client/cli/commands/login.ts';
import { tasks, wait } from '../../../client/cli/commands/tasks.ts';
import { usage } from '../../../client/cli/commands/usage.ts';
import { exitCodeOf, NotSavedError } from '../../../client/cli/exit-codes.ts';
import { inputOf, optionsOf, readArguments } from '../../../client/cli/flags.ts';
import { ownHelp } from '../../../client/cli/help.ts';
import { serviceAddress } from '../../../client/cli/login-file.ts';
import { commands } from '../../../client/cli/printed/commands.ts';
import { errorText } from '../../../client/cli/report-error.ts';
import { checkSources, checkTarget, resultOptions } from '../../../client/cli/run-operation.ts';
import { apiError } from '../../../client/src/errors.ts';
import { Spool } from '../../../client/src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'spool-misuse-'));
const at = (name: string) => join(folder, name);
writeFileSync(at('there.mp4'), '');

afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

describe('a result does not replace its source', () => {
  const [source, other] = [at('source.mp4'), at('other.mp4')];
  for (const path of [source, other]) writeFileSync(path, 'video');
  linkSync(source, at('hard.mp4'));
  symlinkSync(source, at('soft.mp4'));
  const command = (name: string) => {
    const found = commands.find((each) => each.name === name);
    if (!found) throw new Error(`there is no command ${name}`);
    return found;
  };
  const input = inputOf(command('cut'), {}, [source]);

  it.each([
    [source, 'is the source,'],
    [`${folder}/./source.mp4`, `is the same file as the source ${source},`],
    [at('hard.mp4'), `is the same file as the source ${source},`],
    [at('soft.mp4'), `is the same file as the source ${source},`],
  ])('-o %s', (output, text) => {
    expect(() => checkSources({ output }, input)).toThrow(
      new Error(`-o ${output} ${text} which the result would replace. Give another path.`),
    );
  });

  it('is seen where a source is in a list', () => {
    const merged = inputOf(command('merge-urls'), {}, [other, source]);
    expect(() => checkSources({ output: source }, merged)).toThrow('is the source');
  });

  it.each([undefined, '-', folder, other, at('new.mp4')])('-o %s is another place', (output) => {
    expect(() => checkSources(output === undefined ? {} : { output }, input)).not.toThrow();
  });
});

describe('a command line', () => {
  const cut = commands.find(({ name }) => name === 'cut');
  const options = { ...resultOptions, ...(cut ? optionsOf(cut) : {}) };

  it.each([
    [['--start', '1', '--duration'], '--duration needs a value.'],
    [['-o'], '--output needs a value.'],
    [['--mode', '-x'], '--mode needs a value. If it begins with a dash, write --mode=VALUE.'],
    [['--all=5'], '--all takes no value.'],
    [['--start', '1', '--start', '2'], '--start is given twice. Give it once.'],
    [['--strat', '1'], 'Unknown flag --strat. Did you mean --start?'],
  ])('%j: %s', (args, text) => {
    expect(() => readArguments(args, options)).toThrow(new Error(text));
  });

  it('may repeat a flag that is a list', () => {
    const merge = commands.find(({ name }) => name === 'merge-urls');
    const { values } = readArguments(['--urls', 'a.mp4', '--urls', 'b.mp4'], merge ? optionsOf(merge) : {});
    expect(values).toMatchObject({ urls: ['a.mp4', 'b.mp4'] });
  });
});

describe('the place of a result', () => {
  it.each([
    [{ output: at('missing/cut.mp4') }, `-o ${at('missing/cut.mp4')}: there is no folder ${at('missing')}.`],
    [{ output: `${at('there.mp4')}/` }, `-o ${at('there.mp4')}/ is a file. Give a folder.`],
    [{ output: at('there.mp4'), all: true }, `-o ${at('there.mp4')} is a file. Give a folder.`],
    [{ output: '/dev/null', all: true }, '-o /dev/null is a file. Give a folder.'],
    [{ output: '/dev/stdout', all: true }, '--all saves several files: give a folder in -o.'],
    [{ output: '-', all: true }, '--all saves several files: give a folder in -o.'],
    [{ file: 'captions_srt', all: true }, 'Give either --all or --file, not both.'],
  ])('%j is refused before anything is sent', (flags, text) => {
    expect(() => checkTarget(flags)).toThrow(new Error(text));
  });

  it.each([
    {},
    { output: '-' },
    { output: at('cut.mp4') },
    { output: at('new/') },
    { output: at('new'), all: true },
  ])('%j can be one', (flags) => {
    expect(() => checkTarget(flags)).not.toThrow();
  });

  it('that cannot be written to is named, and how to get the result of the task', async () => {
    const partial = at('missing/cut.mp4.task_01kagzr0e0x7m3c9v5b2n8k4qd.video.part');
    const cause = await open(partial, 'w').catch((error: unknown) => error);
    const error = new NotSavedError('task_01kagzr0e0x7m3c9v5b2n8k4qd', cause);
    expect(errorText(error, undefined)).toBe(
      `error: ${at('missing/cut.mp4')}: there is no such file or folder.
  fix   The task is completed: \`spool wait task_01kagzr0e0x7m3c9v5b2n8k4qd -o PATH\` saves its result.
  code  ENOENT
  task  task_01kagzr0e0x7m3c9v5b2n8k4qd
`,
    );
    expect(exitCodeOf(error)).toBe(1);
  });
});

describe('the exit code of an error of the service', () => {
  const answered = async (status: number, body: object | null) =>
    exitCodeOf(await apiError(Response.json(body, { status })));

  it('says to try again only if that can help', async () => {
    const hint = 'Give a public https:// URL of the file instead.';
    expect(await answered(501, { code: 'uploads_unavailable', retryable: false, detail: hint })).toBe(3);
    expect(await answered(500, { code: 'internal_error', retryable: true })).toBe(6);
    expect(await answered(503, { code: 'unavailable', retryable: true })).toBe(6);
  });

  it('says to try again after an error of a proxy', async () => {
    expect([await answered(500, null), await answered(502, null)]).toEqual([6, 6]);
  });
});

describe('the address of the service', () => {
  it.each([
    ['localhost:8787', ' Did you mean http://localhost:8787?'],
    ['spool.example.com', ' Did you mean https://spool.example.com?'],
    ['ftp://spool.example.com', ''],
    ['https://', ''],
  ])('%s is refused', (address, advice) => {
    vi.stubEnv('SPOOL_URL', address);
    const text = `SPOOL_URL must be an http:// or https:// address; it is "${address.replace(/\/+$/, '')}".${advice}`;
    expect(() => serviceAddress()).toThrow(new Error(text));
    expect(() => serviceAddress(address)).toThrow('--url must be');
  });

  it('an empty SPOOL_URL is none', () => {
    vi.stubEnv('SPOOL_URL', '');
    vi.stubEnv('XDG_CONFIG_HOME', folder);
    expect(serviceAddress()).toBe('http://127.0.0.1:8787');
  });

  it.each(['localhost:8787', 'spool.example.com'])('the client refuses %s', (baseUrl) => {
    expect(() => new Spool({ baseUrl, apiKey: 'key' })).toThrow(
      'must begin with https:// or http://, such as https://spool.example.com',
    );
  });

  it.each(['', '/media', 'http://127.0.0.1:8787'])('the client takes "%s"', (baseUrl) => {
    expect(new Spool({ baseUrl, apiKey: 'key' }).baseUrl).toBe(baseUrl);
  });

  it('at which something else answers is what to check', async () => {
    const error = await apiError(new Response('<html>', { status: 404 }));
    expect(errorText(error, 'https://www.example.com')).toBe(
      `error: The server answered with the status 404.
  fix   Check the address of the service, in SPOOL_URL or --url.
  code  404
`,
    );
  });
});

it('the help of every command says what its flags do', () => {
  for (const [name, command] of Object.entries({ tasks, wait, usage, login }))
    for (const line of ownHelp(name, command)
      .split('\n')
      .filter((text) => text.startsWith('  -')))
      expect(line, name).toMatch(/^ {2}-.*? {2,}\S/);
});
