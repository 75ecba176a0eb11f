import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OperationName, operationNames, operations } from '../../schema/operations/index.ts';
import type { Task } from '../../schema/task/task.ts';
import { fixtures } from '../fixtures/make.ts';
import { sampled } from '../sampled.ts';
import { exampleRequest } from './example-request.ts';
import { type Stack, startStack } from './stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack(fixtures);
});
afterAll(() => stack.close());

async function run(name: OperationName, input: Record<string, unknown>): Promise<Task> {
  const { id } = await stack.service.submit(operations[name].path, input);
  const task = await stack.service.finished(id);
  expect(task.error).toBeNull();
  return task;
}

async function storedOf(task: Task): Promise<number> {
  const { FILES } = await stack.service.bindings();
  return (await FILES.list({ prefix: `t/${task.id}/` })).objects.length;
}

function requestOf(name: OperationName, source: string, still: string): Record<string, unknown> {
  const own: Partial<Record<OperationName, Record<string, unknown>>> = {
    cut: { video_url: source, start: 0.5, duration: 1 },
    transcode: { video_url: source, height: 90 },
    silence_process: { video_url: source, mode: 'detect', threshold_db: -30, export: ['edl'] },
    merge_urls: { urls: [source, { url: source, start: 1, end: 2 }], transition: 'clock', duration: 0.4 },
    redub: { video_url: source, voice_url: source, mode: 'mix', offset: 0.5 },
    captions_auto: { video_url: source, captions: '1\n00:00:00,500 --> 00:00:01,500\nHello world.\n' },
    redub_tts: { video_url: source, script: 'Hello world.', provider: 'builtin' },
    redub_vc: { video_url: source, consent: true, voice_id: 'bright' },
    separate: { video_url: source, stems: ['music'], return_video: 'vocals' },
    visualize: { audio_url: source, video_url: source, width: 320, height: 180 },
    photo_animate: { photo_url: still, duration: 1, fps: 10, width: 320, audio_url: source },
    frame: { video_url: source, count: 2 },
  };
  return own[name] ?? exampleRequest(name, { video: source, still });
}

/** What is known only once the sound has been made. */
const loudness = ['gain_db', 'loudness_lufs', 'true_peak_db'];
const measured: { [name in OperationName]?: string[] } = {
  ...{ redub: loudness, redub_tts: loudness, separate: ['gain_db'] },
  redub_vc: [...loudness, 'segments', 'max_drift_ms', 'pitch_semitones', 'formant_semitones'],
};

describe('a dry run', () => {
  it.each(sampled(operationNames, 6, 1))(
    'of %s says what the same request then makes, and stores nothing',
    async (name) => {
      const input = {
        ...requestOf(name, stack.media('speech-wide.mp4'), stack.media('still.png')),
        output_name: 'planned',
      };
      const dry = await run(name, { ...input, dry_run: true });
      expect(dry).toMatchObject({ status: 'completed', output: null, progress_percent: 100 });
      expect(await storedOf(dry)).toBe(0);
      const { plan } = dry;
      operations[name].data.parse(plan?.data);
      const source = name === 'photo_animate' ? ['png', 'png'] : ['mp4', 'h264'];
      expect([plan?.sources[0]?.container, plan?.sources[0]?.video?.codec]).toEqual(source);

      const made = await run(name, input);
      const { duration, width, height, fps, time_map, files, file_name } = made.output ?? {};
      const data = { ...made.output?.data };
      for (const field of measured[name] ?? []) {
        expect(plan?.data[field]).toBeNull();
        expect(data[field] ?? null).not.toBeNull();
        data[field] = null;
      }
      expect(plan).toMatchObject({ duration, width, height, fps, data, time_map });
      expect(plan?.files.map(({ role, media_type }) => [role, media_type])).toEqual(
        files?.map(({ role, media_type }) => [role, media_type]),
      );
      expect(plan?.files[0]?.file_name).toBe(file_name);
      expect(dry.warnings).toEqual(made.warnings);
    },
  );

  it('and its request alike say that a source is half of a file', async () => {
    const url = stack.media('truncated.mp4');
    const cut = { video_url: url, start: 0, duration: 1 };
    const tasks = [
      await run('probe', { url }),
      await run('cut', cut),
      await run('cut', { ...cut, dry_run: true }),
      await run('merge_urls', { urls: [stack.media('plain.mp4'), url], dry_run: true }),
    ];
    const said = tasks.map(
      ({ warnings }) => warnings.find(({ code }) => code === 'source_truncated')?.detail,
    );
    const subjects = ['The source', 'The source', 'The source', 'Source 2 of 2'];
    for (const [index, subject] of subjects.entries())
      expect(said[index]).toMatch(new RegExp(`^${subject} is incomplete: .* at least \\d+ bytes`));
  });

  it('fails as the request would where the source does not fit it', async () => {
    const { service } = stack;
    const input = { video_url: stack.media('plain.mp4'), start: 3600, duration: 1, dry_run: true };
    const { id } = await service.submit('/cut', input);
    expect(await service.finished(id)).toMatchObject({
      status: 'failed',
      plan: null,
      error: { code: 'time_out_of_range' },
    });
  });
});

describe('the output of a task', () => {
  it('is a source of every operation, and the result is that of the same file at a URL', {
    timeout: 900_000,
  }, async () => {
    const made = await run('transcode', { video_url: stack.media('speech-wide.mp4'), codec: 'h264' });
    const still = stack.media('still.png');
    const atUrl = requestOf('cut', made.output?.file_url ?? '', still);
    for (const name of sampled(operationNames, 6, 2)) {
      const task = await run(name, requestOf(name, `task:${made.id}`, still));
      expect([name, task.status]).toEqual([name, 'completed']);
      operations[name].data.parse(task.output?.data);
    }
    const own = await stack.service.submit('/cut', atUrl).catch((error: Error) => error.message);
    expect(own).toContain('422');
  });

  it('is read by parts, as far as they are needed', async () => {
    const made = await run('transcode', {
      video_url: stack.media('plain.mp4'),
      width: 960,
      quality: { video_bitrate_kbps: 5000 },
    });
    const size = made.output?.file_size ?? 0;
    expect(size).toBeGreaterThan(2_000_000);
    const probe = await run('probe', { url: `task:${made.id}` });
    expect(probe.input.bytes_read).toBeLessThan(size / 2);
  });

  it('does not have to be there yet: a chain that is sent at once runs in order', async () => {
    const { service } = stack;
    const cut = await service.submit('/cut', { video_url: stack.media('plain.mp4'), duration: 2 });
    const crop = await service.submit('/crop', { video_url: `task:${cut.id}`, aspect_ratio: '1:1' });
    const frame = await service.submit('/frame', { video_url: `task:${crop.id}`, timestamps: [1] });
    const ended = await Promise.all([cut, crop, frame].map(({ id }) => service.finished(id)));
    expect(ended.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
    const [first, second, third] = ended.map(({ started_at, completed_at }) => ({
      from: Date.parse(started_at ?? ''),
      to: Date.parse(completed_at ?? ''),
    }));
    expect(second?.from).toBeGreaterThanOrEqual(first?.to ?? 0);
    expect(third?.from).toBeGreaterThanOrEqual(second?.to ?? 0);
    expect(ended[2]?.output).toMatchObject({ width: ended[1]?.output?.width, media_type: 'image/jpeg' });
  });

  it('fails the task that reads it when it is deleted meanwhile', async () => {
    const { service } = stack;
    const made = await run('cut', { video_url: stack.media('plain.mp4'), duration: 2 });
    const { key } = service.accounts.elite;
    const { FILES } = await service.bindings();
    const { objects } = await FILES.list({ prefix: `t/${made.id}/` });
    const bucket = FILES as unknown as { delete(keys: string[]): Promise<void> };
    await bucket.delete(objects.map((object) => object.key));
    const reader = await service.submit('/cut', { video_url: `task:${made.id}`, duration: 1 }, key);
    expect(await service.finished(reader.id, key)).toMatchObject({
      status: 'failed',
      attempt: 1,
      error: { code: 'source_gone', source_index: 0, stage: 'fetching' },
    });
  });
});
