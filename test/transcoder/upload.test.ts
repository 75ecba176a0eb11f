import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { deliver } from '../../transcoder/task/upload.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-test-upload-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

type Arguments = Parameters<typeof deliver>;

/** Delivers files of 20 bytes under a plan. @returns how often something was stored, and how many were at the same time */
async function delivered(outputBytes: number, count = 1): Promise<{ stored: number; atOnce: number }> {
  const path = join(directory, 'a.mp4');
  writeFileSync(path, Buffer.alloc(20));
  let [stored, open, atOnce] = [0, 0, 0];
  const store = {
    put: async () => {
      stored += 1;
      open += 1;
      atOnce = Math.max(atOnce, open);
      await pause(1);
      open -= 1;
      return { file_size: 20, sha256: '0'.repeat(64) };
    },
    remove: async () => {},
  };
  const files = Array.from({ length: count }, (_, index) => ({
    ...{ path, extension: 'mp4', media_type: 'video/mp4' },
    role: `part_${index}`,
  }));
  const rendered = {
    files,
    duration: 1,
    width: 2,
    height: 2,
    fps: 30,
    data: {},
    time_map: [],
    warnings: [],
  };
  const task = { id: 'one', operation: 'cut', output_prefix: 'out/', limits: { output_bytes: outputBytes } };
  const ended = deliver(
    { store } as unknown as Arguments[0],
    task as unknown as Arguments[1],
    rendered as unknown as Arguments[2],
    { signal: AbortSignal.timeout(60_000), check: async () => {}, onFraction: () => {} },
  );
  await ended.catch((error: unknown) => {
    expect(error).toMatchObject({ code: 'output_too_large' });
  });
  return { stored, atOnce };
}

test('a file that is larger than the plan allows is not stored, whatever has written it', async () => {
  expect((await delivered(19)).stored).toBe(0);
  expect((await delivered(20)).stored).toBe(1);
});

test('many files are stored a few at a time, because they are in memory meanwhile', async () => {
  expect(await delivered(20, 100)).toEqual({ stored: 100, atOnce: 4 });
});
