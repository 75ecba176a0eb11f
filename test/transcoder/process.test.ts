import { createHash } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { problem } from '../../schema/api/problem.ts';
import { operations } from '../../schema/operations/index.ts';
import { stages } from '../../schema/task/task.ts';
import { type Job, result, taskLimits, transcoderReady } from '../../schema/task/wire.ts';
import { readTimes } from '../fixtures/barcode.ts';
import { signalEach } from '../signal-each.ts';
import {
  begin,
  closeStand,
  cut,
  endless,
  local,
  named,
  receiver,
  rendering,
  reports,
  samples,
  startStand,
  stopAll,
  stored,
  transcoder,
  workspaces,
} from './process-stand.ts';

beforeAll(startStand, 300_000);
afterAll(closeStand);

describe('a transcoder with one slot', () => {
  beforeAll(async () => {
    await begin({ LINE: '1' });
  });
  afterEach(async () => {
    await stopAll();
    await expect.poll(workspaces).toEqual([]);
    await expect.poll(() => transcoder.descendants()).toEqual([]);
  });
  afterAll(() => transcoder.close());

  /** The ends of attempts at a task, as the log has them. */
  const ends = ({ task_id }: Job) =>
    transcoder.logs.filter((line) => line.message === 'attempt ended' && line.task_id === task_id);

  test('turns a job into a stored, verified result and reports the way there', async () => {
    const job = cut();
    expect((await transcoder.post('/tasks', job)).status).toBe(202);
    const completed = await receiver.first(job.task_id, 'completed');
    const made = result.parse(completed.result);
    operations.cut.data.parse(made.data);
    expect(made.duration).toBeCloseTo(2, 1);
    const [file] = made.files;
    expect(file).toMatchObject({ key: expect.stringMatching(/\/result\.mp4$/), file_name: 'result.mp4' });
    expect(file?.key.startsWith(job.output_prefix)).toBe(true);
    const object = await local.bucket.get(file?.key ?? '');
    const body = Buffer.from((await object?.arrayBuffer()) ?? new ArrayBuffer());
    expect(body.length).toBe(file?.file_size);
    expect(createHash('sha256').update(body).digest('hex')).toBe(file?.sha256);
    expect(object?.httpMetadata?.contentType).toBe('video/mp4');

    const progress = reports(job).filter((each) => each.type === 'progress');
    expect(progress[0]).toMatchObject({ stage: 'waiting', progress_percent: 0 });
    const places = progress.map((each) => stages.indexOf(each.stage));
    const percents = progress.map((each) => each.progress_percent);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(reports(job).at(-1)?.type).toBe('completed');
    const ids = receiver.received(job.task_id).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(workspaces()).toEqual([]);
    expect(transcoder.descendants()).toEqual([]);
  });

  test('reads of a long source what it needs, and says how much that was', async () => {
    const input = { video_url: `${samples.url}/long.mp4`, start: 100, duration: 4 };
    const job = named('cut', input, {});
    await transcoder.post('/tasks', job);
    const { result: made, metering } = await receiver.first(job.task_id, 'completed');
    expect(made.data.copied_seconds).toBeGreaterThan(1);
    expect(metering).toMatchObject({ bytes_read: made.bytes_read });
    expect(metering?.source_seconds).toBeGreaterThan(104);
    expect(metering?.processing_seconds).toBeGreaterThan(0);
    expect(made.bytes_read).toBeGreaterThan(0);
    expect(made.bytes_read).toBeLessThan(samples.size('long.mp4') / 4);
  });

  test('whose origin dies midway says so, and leaves nothing', async () => {
    samples.dead.value = true;
    const job = named('cut', { video_url: `${samples.url}/long.mp4`, start: 100, duration: 4 }, {});
    await transcoder.post('/tasks', job);
    const { failure } = await receiver.first(job.task_id, 'failed');
    samples.dead.value = false;
    expect(failure).toMatchObject({ code: 'source_unreachable', source_index: 0 });
    await expect.poll(workspaces).toEqual([]);
    await expect.poll(() => samples.open()).toBe(0);
    expect(transcoder.descendants()).toEqual([]);
  });
  test('completes a cut exactly by rendering it where the engine is killed in the middle of one', async () => {
    const segments = Array.from({ length: 8 }, (_, index) => ({
      start: 2 * index + 0.1,
      end: 2 * index + 1.9,
    }));
    const job = named('cut', { video_url: `${samples.url}/long.mp4`, segments, audio: 'mute' }, {});
    await transcoder.post('/tasks', job);
    const files = () => workspaces().flatMap((name) => readdirSync(join(transcoder.workDir, name)));
    await expect.poll(files, { timeout: 60_000, interval: 10 }).toContain('out.mp4');
    signalEach(transcoder.workers(), 'SIGKILL');
    const completed = await receiver.first(job.task_id, 'completed');
    const messages = transcoder.logs.map(({ message }) => message);
    expect(messages).toContain('libav failed; the fallback is tried');
    const { files: made, ...rest } = result.parse(completed.result);
    expect(rest).toMatchObject({ duration: 14.4, data: { copied_seconds: 0, rendered_seconds: 14.4 } });
    const object = await local.bucket.get(made[0]?.key ?? '');
    const path = join(transcoder.workDir, 'cut.mp4');
    writeFileSync(path, Buffer.from((await object?.arrayBuffer()) ?? new ArrayBuffer()));
    const times = await readTimes(path);
    expect(times).toHaveLength(8 * 54);
    for (const [index, time] of times.entries()) expect(time).toBeCloseTo(index / 30, 3);
    rmSync(path);
    expect(transcoder.workers().length).toBeGreaterThan(0);
  }, 180_000);

  test('runs the same attempt once, however often it is sent', async () => {
    const job = cut();
    const answers = await Promise.all([1, 2, 3].map(() => transcoder.post('/tasks', job)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    await receiver.first(job.task_id, 'completed');
    expect((await transcoder.post('/tasks', job)).status).toBe(202);
    expect(ends(job)).toHaveLength(1);
    expect(reports(job).filter(({ type }) => type === 'completed')).toHaveLength(1);
  });

  test('takes one, lets one wait, and refuses the third with Retry-After', async () => {
    const [running, waiting, third] = [endless(), cut(), cut()];
    expect((await transcoder.post('/tasks', running)).status).toBe(202);
    expect((await transcoder.post('/tasks', waiting)).status).toBe(202);
    const refused = await transcoder.post('/tasks', third);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(problem.parse(await refused.json()).code).toBe('unavailable');

    await rendering(running);
    const progressOf = (job: Job) => reports(job).filter((each) => each.type === 'progress');
    await expect.poll(() => progressOf(waiting).length, { timeout: 20_000 }).toBeGreaterThan(1);
    expect(progressOf(waiting).every(({ stage }) => stage === 'waiting')).toBe(true);

    expect((await transcoder.stop(running)).status).toBe(200);
    await receiver.first(waiting.task_id, 'completed');
    expect((await transcoder.post('/tasks', third)).status).toBe(202);
    await receiver.first(third.task_id, 'completed');
  });

  test('a stop kills the encoder within five seconds and leaves nothing', async () => {
    const job = endless();
    await transcoder.post('/tasks', job);
    await rendering(job);
    const before = performance.now();
    const answer = await transcoder.stop(job);
    expect(answer.status).toBe(200);
    expect(performance.now() - before).toBeLessThan(5500);
    expect(transcoder.descendants()).toEqual([]);
    expect(workspaces()).toEqual([]);
    expect(await stored(job)).toEqual([]);
    expect(reports(job).every(({ type }) => type === 'progress')).toBe(true);
  });

  test('a stop of what does not run, or of an earlier attempt, changes nothing', async () => {
    expect((await transcoder.stop(cut())).status).toBe(200);
    const job = endless({ attempt: 2 });
    await transcoder.post('/tasks', job);
    await rendering(job);
    expect((await transcoder.stop({ ...job, attempt: 1 })).status).toBe(200);
    expect(transcoder.descendants().length).toBeGreaterThan(0);
  });

  test('an attempt that the Worker calls stale is ended', async () => {
    const job = endless();
    receiver.answer(job.task_id, (report) =>
      report.type === 'progress' && report.stage === 'rendering' ? 409 : 200,
    );
    await transcoder.post('/tasks', job);
    await expect.poll(() => ends(job), { timeout: 30_000 }).toMatchObject([{ outcome: 'stale' }]);
    expect(transcoder.descendants()).toEqual([]);
    expect(workspaces()).toEqual([]);
  });

  test('a later attempt at the same task ends the earlier one', async () => {
    const job = endless();
    await transcoder.post('/tasks', job);
    await rendering(job);
    const later = { ...cut(), task_id: job.task_id, attempt: 2, callback_url: receiver.url('later') };
    expect((await transcoder.post('/tasks', later)).status).toBe(202);
    await receiver.first('later', 'completed');
    expect(reports(job).every(({ type }) => type === 'progress')).toBe(true);
  });

  test('objects of a result that is refused are deleted', async () => {
    const job = cut();
    receiver.answer(job.task_id, (report) => (report.type === 'completed' ? 409 : 200));
    await transcoder.post('/tasks', job);
    await receiver.first(job.task_id, 'completed');
    await expect.poll(() => stored(job), { timeout: 10_000 }).toEqual([]);
  });

  test('a result that the Worker can never take fails the task, and leaves no object', async () => {
    const job = cut();
    receiver.answer(job.task_id, (report) => (report.type === 'completed' ? 413 : 200));
    await transcoder.post('/tasks', job);
    expect((await receiver.first(job.task_id, 'failed')).failure).toEqual({
      ...{ code: 'internal_error', detail: 'The result could not be recorded.', stage: 'uploading' },
    });
    expect(await stored(job)).toEqual([]);
  });

  test('a failure that the Worker can never take is reported as one without a reason, not in silence', async () => {
    const job = cut({ input: { video_url: `${samples.url}/missing.mp4`, duration: 1 } });
    receiver.answer(job.task_id, (report) =>
      report.type === 'failed' && report.failure.code !== 'internal_error' ? 422 : 200,
    );
    await transcoder.post('/tasks', job);
    const failures = () =>
      receiver
        .received(job.task_id)
        .flatMap(({ report }) => (report.type === 'failed' ? [report.failure.code] : []));
    await expect.poll(failures, { timeout: 20_000 }).toEqual([expect.any(String), 'internal_error']);
  });

  test('a result is reported again until the Worker takes it, and the process is busy until then', async () => {
    const job = cut();
    let taken = false;
    const busy = async () =>
      transcoderReady.parse(await (await fetch(`${transcoder.url}/readyz`)).json()).busy;
    receiver.answer(job.task_id, (report) => (report.type === 'completed' && !taken ? 500 : 200));
    await transcoder.post('/tasks', job);
    const all = () => receiver.received(job.task_id).filter(({ report }) => report.type === 'completed');
    await expect.poll(() => all().map(({ status }) => status), { timeout: 20_000 }).toEqual([500, 500]);
    expect(await busy()).toBe(1);
    taken = true;
    await expect.poll(() => all().map(({ status }) => status), { timeout: 20_000 }).toEqual([500, 500, 200]);
    expect(await stored(job)).toHaveLength(1);
    await expect.poll(busy, { timeout: 20_000 }).toBe(0);
  });

  test.each<[string, Partial<Job>, object]>([
    [
      'a source that is not there',
      { input: { video_url: 'MISSING', duration: 1 } },
      { code: 'source_http_error', stage: 'fetching', source_index: 0, retryable: false },
    ],
    [
      'a source over the size of the plan',
      {
        limits: taskLimits.parse({
          source_bytes: 1000,
          source_seconds: 60,
          task_seconds: 60,
          output_side_px: 1920,
        }),
      },
      { code: 'source_too_large', stage: 'fetching', source_index: 0 },
    ],
    [
      'a source over the length of the plan',
      {
        limits: taskLimits.parse({
          source_bytes: 10 ** 9,
          source_seconds: 5,
          task_seconds: 60,
          output_side_px: 1920,
        }),
      },
      { code: 'source_too_long', stage: 'analyzing', source_index: 0 },
    ],
    [
      'a forbidden source',
      { input: { video_url: 'https://169.254.169.254/latest', duration: 1 } },
      { code: 'source_forbidden', stage: 'fetching', source_index: 0 },
    ],
  ])('%s ends the task with its code, its stage and which source', async (_, extra, failure) => {
    const job = cut(extra);
    if (job.input.video_url === 'MISSING')
      job.input = { ...job.input, video_url: `${samples.url}/missing.mp4` };
    expect((await transcoder.post('/tasks', job)).status).toBe(202);
    const failed = await receiver.first(job.task_id, 'failed');
    expect(failed.failure).toMatchObject(failure);
    expect(failed.failure.detail).not.toContain('/tmp');
    expect(workspaces()).toEqual([]);
  });

  test('a task over its wall time is timed_out and its encoder is gone', async () => {
    const limits = taskLimits.parse({
      source_bytes: 10 ** 9,
      source_seconds: 600,
      task_seconds: 3,
      output_side_px: 1920,
    });
    const job = endless({ limits });
    await transcoder.post('/tasks', job);
    const failed = await receiver.first(job.task_id, 'failed');
    expect(failed.failure.code).toBe('timed_out');
    expect(transcoder.descendants()).toEqual([]);
    expect(workspaces()).toEqual([]);
  });

  test('a store that is down is storage_failed', async () => {
    await transcoder.close();
    await begin({ S3_ENDPOINT: 'http://127.0.0.1:9', STORE_PATIENCE_SECONDS: '1' });
    const job = cut();
    await transcoder.post('/tasks', job);
    const failed = await receiver.first(job.task_id, 'failed');
    expect(failed.failure).toMatchObject({ code: 'storage_failed', stage: 'uploading' });
  });
});
