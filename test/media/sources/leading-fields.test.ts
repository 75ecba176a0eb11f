import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leadingFields } from '../../corpus/oddities/fields.ts';
import { benchIn, makeMaster } from '../../corpus/oddities/oddity.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

const directory = mkdtempSync(join(scratch(), 'leading-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const source = join(directory, leadingFields.name);
beforeAll(async () => {
  const bench = benchIn(directory);
  await makeMaster(bench);
  await leadingFields.make(bench);
});

test('fields that are shown before the IDR picture that they follow are part of the source', async () => {
  const { data } = await operate('probe', source, {});
  expect(data).toMatchObject({ duration: 2, streams: [{ start_time: 0, frames: 50 }] });
  const done = await operate('cut', source, { start: 0, duration: 1 });
  expect(done.duration).toBe(1);
  expect(done.data).toMatchObject({ spans: [{ frames: 25 }] });
});
