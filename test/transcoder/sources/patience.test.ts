import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Patience } from '../../../transcoder/ffmpeg/idle-timeout.ts';

const LONG = 400;
const SHORT = 50;

test('it ends when nothing is heard', async () => {
  const late = Promise.withResolvers<string>();
  const patience = new Patience(SHORT, () => late.resolve('late'));
  patience.heard();
  expect(await late.promise).toBe('late');
});

test('it lasts while something is done, however long that takes, and begins anew afterwards', async () => {
  const late = Promise.withResolvers<number>();
  let done = 0;
  const patience = new Patience(SHORT, () => late.resolve(done));
  const work = sleep(LONG).then(() => {
    done += 1;
  });
  await Promise.all([patience.during(work), patience.during(sleep(SHORT).then(() => patience.heard()))]);
  expect(await late.promise).toBe(1);
});

test('it is over once it is ended, whatever fails then', async () => {
  let late = false;
  const patience = new Patience(SHORT, () => {
    late = true;
  });
  const work = patience.during(sleep(SHORT).then(() => Promise.reject(new Error('failed'))));
  patience.end();
  await expect(work).rejects.toThrow('failed');
  await sleep(LONG);
  expect(late).toBe(false);
});
