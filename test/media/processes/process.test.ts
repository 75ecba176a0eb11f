import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { ctx, operate } from '../operate.ts';

const endless = [
  '-v',
  'error',
  '-re',
  '-f',
  'lavfi',
  '-i',
  'testsrc2=s=64x64',
  '-progress',
  'pipe:1',
  '-f',
  'null',
  '-',
];

/** A program of ours in the place of ffmpeg. */
async function script(text: string): Promise<{ ffmpeg: string; ffprobe: string; directory: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'spool-script-'));
  const ffmpeg = join(directory, 'program');
  await writeFile(ffmpeg, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return { ffmpeg, ffprobe: 'ffprobe', directory };
}

/** Processes whose command line holds a text. */
function running(text: string): number {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
      } catch (error) {
        if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
        throw error;
      }
    }).length;
}

/** How a run ends: with its result, its error, or not within the time that it takes to end a group. */
const outcome = (work: Promise<unknown>) =>
  Promise.race([work.catch((error: unknown) => error), sleep(10_000, 'it still runs')]);

describe('a process', () => {
  test('that is aborted ends with all its children, and the reason of the abort is thrown', async () => {
    const mark = `spool-mark-${process.pid}`;
    const { directory, ...fake } = await script(`sleep 60 ${mark} & sh -c 'sleep 60; : ${mark}'`);
    const stop = new AbortController();
    const reason = new Error('the caller went away');
    const work = run({ ...fake }, 'ffmpeg', [], { signal: stop.signal });
    while (running(mark) === 0) await sleep(20);
    stop.abort(reason);
    expect(await outcome(work)).toBe(reason);
    expect(running(mark)).toBe(0);
    await rm(directory, { recursive: true });
  });

  test('that ignores SIGTERM is killed within seconds', async () => {
    const { directory, ...fake } = await script(`trap '' TERM\nfor _ in $(seq 60); do sleep 1; done`);
    const stop = new AbortController();
    const reason = new Error('the caller went away');
    const work = run(fake, 'ffmpeg', [], { signal: stop.signal });
    await sleep(300);
    stop.abort(reason);
    expect(await outcome(work)).toBe(reason);
    await rm(directory, { recursive: true });
  }, 20_000);

  test('is not started where the signal was aborted before', async () => {
    const reason = new Error('too late');
    await expect(run(programs, 'ffmpeg', endless, { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
  });

  test('sees nothing of our environment', async () => {
    const { directory, ...fake } = await script('env');
    process.env.SPOOL_TEST_SECRET = 'not for children';
    const { stdout } = await run(fake, 'ffmpeg', [], { cwd: directory });
    const names = stdout
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0])
      .filter((name) => !['PWD', '_', 'SHLVL', 'OLDPWD'].includes(name ?? ''));
    expect(names.toSorted()).toEqual(['HOME', 'LANG', 'PATH', 'SVT_LOG']);
    await rm(directory, { recursive: true });
  });

  test('whose output does not grow is ended', async () => {
    const { directory, ...fake } = await script('echo out_time_us=1000; sleep 60');
    const work = run(fake, 'ffmpeg', [], { onProgress: () => {}, stallSeconds: 1 });
    expect(await outcome(work)).toMatchObject({ code: 'timed_out' });
    await rm(directory, { recursive: true });
  });

  test('that runs too long or prints too much is ended', async () => {
    const late = run(programs, 'ffmpeg', endless, { timeoutSeconds: 1 });
    expect(await outcome(late)).toMatchObject({ code: 'timed_out' });
    const { directory, ...fake } = await script('yes | head -c 10000000');
    const talkative = run(fake, 'ffmpeg', [], { stdoutLimit: 100_000 });
    expect(await outcome(talkative)).toMatchObject({ code: 'render_failed' });
    await rm(directory, { recursive: true });
  });

  test('keeps the end of what it says on stderr', async () => {
    const { directory, ...fake } = await script('yes noise | head -c 100000 >&2; echo the end >&2');
    const { stderrTail } = await run(fake, 'ffmpeg', []);
    expect(stderrTail.length).toBeLessThanOrEqual(16_384);
    expect(stderrTail).toContain('the end');
    await rm(directory, { recursive: true });
  });
});

describe('a render', () => {
  test('reports progress that never falls and reaches the end', async () => {
    const seen: number[] = [];
    await operate(
      'transcode',
      'plain.mp4',
      { codec: 'hevc', quality: 'high' },
      { onProgress: (fraction) => seen.push(fraction) },
    );
    expect(seen.length).toBeGreaterThan(1);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBe(1);
  });

  test('that is aborted stops', async () => {
    const stop = new AbortController();
    const reason = new Error('deleted');
    const work = operate(
      'transcode',
      'plain.mp4',
      { codec: 'av1', quality: { crf: 0 } },
      {
        signal: stop.signal,
        onProgress: () => stop.abort(reason),
      },
    );
    await expect(work).rejects.toBe(reason);
  });

  test('opens no other file than it was given', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'spool-list-'));
    const list = join(directory, 'list.mp4');
    await writeFile(list, `ffconcat version 1.0\nfile ${fixture('plain.mp4')}\n`);
    await expect(operate('cut', list, { start: 0, duration: 1 })).rejects.toThrow();
    await rm(directory, { recursive: true });
  });
});

test('capabilities name the version, encoders and filters at hand', () => {
  expect(ctx.capabilities.version).toMatch(/^\d+\.\d+/);
  for (const name of ['libx264', 'aac', 'png', 'mjpeg']) expect(ctx.capabilities.encoders).toContain(name);
  for (const name of ['trim', 'atrim', 'crop', 'overlay', 'loudnorm'])
    expect(ctx.capabilities.filters).toContain(name);
});
