import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { deliver } from '../../transcoder/task/upload.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-test-upload-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

type Arguments = Parameters<typeof deliver>;

/** Delivers a file of 20 bytes under a plan. @returns how often something was stored. */
async function delivered(outputBytes: number): Promise<number> {
  const path = join(directory, 'a.mp4');
  writeFileSync(path, Buffer.alloc(20));
  let stored = 0;
  const store = {
    put: async () => {
      stored += 1;
      return { file_size: 20, sha256: '0'.repeat(64) };
    },
    remove: async () => {},
  };
  const file = { path, role: 'video', name: 'a.mp4', media_type: 'video/mp4' };
  const rendered = {
    files: [file],
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
  return stored;
}

test('a file that is larger than the plan allows is not stored, whatever has written it', async () => {
  expect(await delivered(19)).toBe(0);
  expect(await delivered(20)).toBe(1);
});
