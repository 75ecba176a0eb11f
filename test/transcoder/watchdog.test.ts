import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { sleep } from '../harness.ts';
import { startObjectStore } from './object-store.ts';
import { isAlive, startTranscoder } from './transcoder-process.ts';

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

const STANDS_MS = 3000;

/** A process whose event loop is blocked for so many milliseconds at a time. */
function watched(blockedMs: number) {
  const entry = join(import.meta.dirname, 'watched-process.ts');
  const child = spawn(process.execPath, [entry, String(blockedMs), String(STANDS_MS)]);
  children.push(child);
  return child;
}

describe('a process whose event loop stands still', () => {
  test('is ended, and says why in one line', async () => {
    const child = watched(600_000);
    const printed = text(child.stdout);
    await expect.poll(() => child.signalCode, { timeout: 12 * STANDS_MS }).toBe('SIGKILL');
    const lines = (await printed).trim().split('\n').slice(1);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'error', message: 'event loop blocked', service: 'watched', seconds: 3 },
    ]);
  });

  test('lives where it stands for less than that each time', async () => {
    const child = watched(STANDS_MS / 3);
    await sleep(4 * STANDS_MS);
    expect(child.signalCode).toBeNull();
  });

  test('lives where the whole process was frozen for longer', async () => {
    const child = watched(0);
    await once(child.stdout, 'data');
    child.kill('SIGSTOP');
    await sleep(2 * STANDS_MS);
    child.kill('SIGCONT');
    await sleep(STANDS_MS);
    expect(child.signalCode).toBeNull();
  });
});

test('the transcoder is watched: where its loop stands it is gone within seconds, and what it has started too', async () => {
  const local = await startObjectStore();
  // Only here can its loop be blocked from outside.
  const block = `process.on('SIGUSR2',()=>{for(;;);})`;
  const transcoder = await startTranscoder({
    ...local.env,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(block)}`,
  });
  const workers = transcoder.workers();
  transcoder.child.kill('SIGUSR2');
  await transcoder.exited;
  expect(transcoder.child.signalCode).toBe('SIGKILL');
  expect(transcoder.logs.at(-1)).toMatchObject({
    level: 'error',
    ...{ message: 'event loop blocked', service: 'transcoder', seconds: 10 },
  });
  await expect.poll(() => workers.filter(isAlive)).toEqual([]);
  await transcoder.close();
  await local.close();
});
