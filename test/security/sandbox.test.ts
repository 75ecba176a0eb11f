import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findSandbox } from '../../transcoder/ffmpeg/find-sandbox.ts';
import { run } from '../../transcoder/ffmpeg/run.ts';
import type { Sandbox } from '../../transcoder/ffmpeg/sandbox.ts';
import { denied } from '../../transcoder/ffmpeg/seccomp/denied.ts';
import { errno } from '../../transcoder/ffmpeg/seccomp/filter.ts';
import { jsonLog } from '../../transcoder/log.ts';
import { programs } from '../fixtures/make.ts';

const silent = jsonLog({}, () => {});
/** Null on a machine without user namespaces: then nothing is claimed (`/readyz` says so). */
const bwrap: Sandbox | null = await findSandbox(programs, 'bwrap', silent).catch(() => null);
const column = process.arch === 'x64' ? 0 : 1;
const numbered = Object.values(denied)
  .flatMap((calls) => Object.entries(calls))
  .flatMap(([name, numbers]): [string, number][] => {
    const number = numbers[column];
    return number === null ? [] : [[name, number]];
  });

let directory: string;
let job: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-test-sandbox-'));
  job = join(directory, 'job');
  for (const name of ['job', 'another-job']) await mkdir(join(directory, name), { mode: 0o700 });
  await writeFile(join(directory, 'another-job', 'source-0'), 'of another tenant');
});
afterAll(() => rm(directory, { recursive: true }));

/** What a program of an attacker prints that has taken the place of ffmpeg. Perl makes system calls by number. */
async function attacker(code: string, reads: string[] = []): Promise<string> {
  if (!bwrap) throw new Error('there is no bwrap here');
  const inside = { ...programs, ffmpeg: '/usr/bin/perl', sandbox: bwrap };
  const { stdout } = await run(inside, 'ffmpeg', ['-e', code], { cwd: job, reads, timeoutSeconds: 30 });
  return stdout;
}

/** The error that each call ends in; 0 where it succeeds. */
async function errorsOf(calls: readonly string[]): Promise<number[]> {
  const lines = calls.map((call) => `$! = 0; $r = syscall(${call}); print(($r == -1 ? $! + 0 : 0), "\\n");`);
  return (await attacker(lines.join('\n'))).trim().split('\n').map(Number);
}

describe.runIf(bwrap)('a decoder that was taken over', () => {
  test('gets EPERM from every system call on the list', async () => {
    const errors = await errorsOf(numbered.map(([, number]) => `${number}, 0, 0, 0, 0, 0`));
    const refused = numbered.map(([name], index) => [name, errors[index]]);
    expect(refused).toEqual(numbered.map(([name]) => [name, errno.EPERM]));
  });

  test('makes no namespace by clone, and no call of a later kernel', async () => {
    const [clone, clone3] = column === 0 ? [56, 435] : [220, 435];
    const flags = ['0x10000000', '0x00020000', '0x40000000', '0x20000000'];
    const errors = await errorsOf([
      ...flags.map((flag) => `${clone}, ${flag}, 0, 0, 0, 0`),
      `${clone3}, 0, 0`,
      '470, 0',
      '9999, 0',
    ]);
    expect(errors).toEqual([...flags.map(() => errno.EPERM), errno.ENOSYS, errno.ENOSYS, errno.ENOSYS]);
  });

  test('opens no socket but to itself', async () => {
    const socket = column === 0 ? 41 : 198;
    // INET, INET6, NETLINK, PACKET, ALG, VSOCK
    const families = [2, 10, 16, 17, 38, 40];
    const errors = await errorsOf([1, ...families].map((family) => `${socket}, ${family}, 1, 0`));
    expect(errors).toEqual([0, ...families.map(() => errno.ENETUNREACH)]);
  });

  test('sees three devices, and can add none', async () => {
    const code = `
      opendir(D, '/dev'); print join(',', sort grep { !/^[.]/ } readdir D), "\\n";
      for (qw(/dev/null /dev/zero /dev/urandom)) { print open(F, '+<', $_) ? "open\\n" : "$!\\n"; }
      for (qw(/dev/kmsg /dev/mem /dev/tty /dev/shm/x /dev/pts/0 /dev/new)) { print open(F, '>', $_) ? "open\\n" : "closed\\n"; }`;
    const [devices, ...rest] = (await attacker(code)).trim().split('\n');
    expect(devices).toBe('null,urandom,zero');
    expect(rest).toEqual([...Array(3).fill('open'), ...Array(6).fill('closed')]);
  });

  test('sees nothing of other jobs, of the transcoder or of the machine', async () => {
    const paths = [
      `${directory}/another-job/source-0`,
      '/proc/1/environ',
      '/proc/self/environ',
      '/proc/kallsyms',
      '/sys/kernel',
      '/etc/passwd',
      '/etc/shadow',
      '/root',
      '/home',
      '/run',
      '/var/run/docker.sock',
      import.meta.filename,
    ];
    const code = `
      for (${paths.map((path) => `'${path}'`).join(', ')}) { print -e $_ ? "there: $_\\n" : ''; }
      for ('${directory}', '${tmpdir()}') { opendir(D, $_); print "$_: ", join(',', grep { !/^[.]/ } readdir D), "\\n"; }
      print join(',', sort keys %ENV), "\\n";`;
    const lines = (await attacker(code)).trim().split('\n');
    const [, child = ''] = directory.split(`${tmpdir()}/`);
    expect(lines).toEqual([
      `${directory}: job`,
      `${tmpdir()}: ${child}`,
      expect.stringMatching(/^HOME,LANG,PATH/),
    ]);
  });

  test('leaves nothing in its directory that the transcoder would follow out of it', async () => {
    const code = `
      print symlink('/proc/self/environ', 'out.mp4') ? 'made' : 'refused', "\\n";
      open(F, '>', 'own'); close(F);
      print link('own', 'out.mp4') ? 'made' : 'refused', "\\n";
      require POSIX; print POSIX::mkfifo('out.mp4', 0600) ? 'made' : 'refused', "\\n";
      print rename('/bin', 'out.mp4') ? 'made' : 'refused', "\\n";`;
    expect((await attacker(code)).trim().split('\n')).toEqual(Array(4).fill('refused'));
  });
});
