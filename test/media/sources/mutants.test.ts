import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plans } from '../../../schema/api/plans.ts';
import { taskLimits } from '../../../schema/task/wire.ts';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { probeMedia } from '../../../transcoder/media/probe/probe-media.ts';
import { admit, admitPicture } from '../../../transcoder/media/verify/source-limits.ts';
import { TaskFailure } from '../../../transcoder/model/task-failure.ts';
import { demuxerOfFile } from '../../../transcoder/source/sniff.ts';
import { everyCase, sampled } from '../../sampled.ts';
import { mutant, randomFrom } from '../../security/mutate.ts';
import { makeSeeds, seedNames } from '../../security/seeds.ts';
import { ctx, libav, operate } from '../operate.ts';

/** Of each seed; `MUTANTS=5000` tries so many. */
const COUNT = Number(process.env.MUTANTS ?? (everyCase ? 250 : 50));
/** One in so many goes through a render too. */
const RENDERED = 10;
const AT_ONCE = 3;
/** No operation on half a second of 64 × 48 takes this long, even on a busy machine. */
const HUNG_MS = 60_000;

const limits = taskLimits.parse(plans.basic);
let directory: string;
let seeds: Map<string, Buffer>;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-mutants-'));
  seeds = await makeSeeds(directory);
}, 60_000);
afterAll(() => rm(directory, { recursive: true }));

async function probed(path: string): Promise<string> {
  const format = await demuxerOfFile(path);
  if (!format) return 'source_not_media';
  const source = await completeSource({ path, format });
  await admitPicture(source, limits);
  admit(await probeMedia(ctx, source), limits);
  return 'probed';
}

async function rendered(path: string, name: string): Promise<string> {
  if (!(await demuxerOfFile(path))) return 'source_not_media';
  const isSound = name.endsWith('.mp3') || name.endsWith('.wav');
  if (isSound)
    await operate('cut', path, { start: 0.02, duration: 0.05, audio_url: 'https://media.example.com/a' });
  else if (name.endsWith('.mp4')) await operate('cut', path, { start: 0.1, duration: 0.3 });
  else await operate('frame', path, { count: 1 });
  return 'rendered';
}

/** The code that the work ends in; whatever is not a TaskFailure, and what takes too long, is told as it is. */
async function ended(work: Promise<string>): Promise<string> {
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve('hung'), HUNG_MS);
  try {
    return await Promise.race([work, late.promise]);
  } catch (error) {
    return error instanceof TaskFailure
      ? error.code
      : `crashed: ${error instanceof Error ? error.stack : error}`;
  } finally {
    clearTimeout(timer);
  }
}

/** Tells how often each outcome came, and with which mutant what may not come at all. */
class Tally {
  counts: Record<string, number> = {};
  bad: string[] = [];

  add(outcome: string, which: string): void {
    const [kind = ''] = outcome.split(':');
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    if (kind === 'crashed' || kind === 'hung') this.bad.push(`${which} ${outcome}`);
  }
}

test.each(sampled(seedNames, 3))(
  'every mutant of %s ends in a result or in a code',
  async (name) => {
    const seed = seeds.get(name) ?? Buffer.alloc(0);
    const [opened, made] = [new Tally(), new Tally()];
    const numbers = Array.from({ length: COUNT }, (_, index) => index).values();
    const work = async () => {
      for (const number of numbers) {
        const path = join(directory, `${number}-${name}`);
        await writeFile(path, mutant(seed, randomFrom(number * 8 + seedNames.indexOf(name))));
        opened.add(await ended(probed(path)), `mutant ${number}`);
        if (number % RENDERED === 0)
          made.add(await ended(rendered(path, name)), `mutant ${number}, rendered`);
        await rm(path);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    console.log(name, { opened: opened.counts, made: made.counts });
    expect([...opened.bad, ...made.bad]).toEqual([]);
    expect(Object.values(opened.counts).reduce((sum, count) => sum + count, 0)).toBe(COUNT);
    expect(Object.keys(opened.counts).length).toBeGreaterThan(1);
  },
  COUNT * 4000,
);

test('libav still does good work, and no mutant is left', async () => {
  for (const name of seedNames) expect(await probed(join(directory, name))).toBe('probed');
  expect(await rendered(join(directory, 'seed.mp4'), 'seed.mp4')).toBe('rendered');
  expect(libav?.pids.length).toBeGreaterThan(0);
  expect((await readdir(directory)).toSorted()).toEqual(seedNames.toSorted());
});
