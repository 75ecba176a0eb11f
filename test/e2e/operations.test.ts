import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSubtitles } from '../../schema/media/subtitles.ts';
import { type OperationName, operationNames, operations } from '../../schema/operations/index.ts';
import type { Task } from '../../schema/task/task.ts';
import { findSandbox } from '../../transcoder/ffmpeg/find-sandbox.ts';
import { jsonLog } from '../../transcoder/log.ts';
import { readNumbers, readPulses } from '../fixtures/barcode.ts';
import { changingSound, coded } from '../fixtures/changing-sound.ts';
import { fixtures, programs } from '../fixtures/make.ts';
import { sentences, speak } from '../fixtures/speech.ts';
import { documents } from '../media/timeline/documents.ts';
import { sampled } from '../sampled.ts';
import { downloaded } from './downloaded.ts';
import { exampleRequest } from './example-request.ts';
import { type Stack, startStack } from './stack.ts';

const { clip, gap, timeline } = documents(30);

/** A spoken sentence among the fixtures, as long as the tests run. */
const SAID = 'said-in-operations.wav';
/** The same of a film in 5.1 with an advertisement in stereo. */
const FILM = 'film-in-operations.mkv';

let stack: Stack;
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'spool-e2e-'));
  await speak(sentences.slice(0, 1), join(fixtures, SAID));
  const sounds = [coded('ac3', 48_000, 6), coded('ac3', 48_000, 2)];
  const film = await changingSound(directory, 'film', '.ts', sounds);
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', film, '-c', 'copy', join(fixtures, FILM)]);
  stack = await startStack(fixtures);
});
afterAll(async () => {
  await stack.close();
  for (const name of [SAID, FILM]) rmSync(join(fixtures, name), { force: true });
  rmSync(directory, { recursive: true, force: true });
});

async function run(name: OperationName, input: Record<string, unknown>): Promise<Task> {
  const { service } = stack;
  const created = await service.submit(operations[name].path, input);
  return service.finished(created.id);
}

const fetchFile = (task: Task, role?: string) => downloaded(task, directory, role);

interface Probe {
  format: { duration?: string };
  streams: { codec_type: string; codec_name: string; width?: number; height?: number; duration?: string }[];
}

const PRINTED = ['-v', 'error', '-of', 'json', '-show_format', '-show_streams'];
const ffprobe = (path: string): Probe =>
  JSON.parse(execFileSync('ffprobe', [...PRINTED, path], { encoding: 'utf8' }));

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe('before any task', () => {
  it('the service is ready and says what its transcoder is', async () => {
    const strongest = await findSandbox(
      programs,
      'auto',
      jsonLog({}, () => {}),
    );
    // On a busy machine a store may take longer than the time it is given.
    const ready = async () => {
      const response = await stack.service.request('/readyz');
      return { code: response.status, body: await response.json() };
    };
    await expect.poll(ready, { timeout: 60_000, interval: 1000 }).toMatchObject({
      code: 200,
      body: {
        status: 'ready',
        checks: { transcoder: { ok: true, engine: 'node-av', sandbox: strongest.level, slots: 2, busy: 0 } },
      },
    });
    const capabilities = await stack.service.request('/capabilities');
    expect(await capabilities.json()).toMatchObject({ engine: 'node-av' });
  });
});

describe.concurrent('through the HTTP API', () => {
  it.each(sampled(operationNames, 2))('%s ends with data that its descriptor declares', async (name) => {
    const source = stack.media('plain.mp4');
    const still = stack.media('still.png');
    const own: Partial<Record<OperationName, Record<string, unknown>>> = {
      cut: { video_url: source, start: 0.5, duration: 1 },
      transcode: { video_url: source, height: 90 },
      remux: { video_url: source, strip: 'private', set: { title: 'Ü' }, format: 'mkv' },
      silence_process: { video_url: stack.media('speech.mp4'), export: ['edl'] },
      edit_by_text: {
        video_url: source,
        words: [
          { start: 1, end: 1.5, text: 'um' },
          { start: 2, end: 2.5, text: 'yes' },
        ],
        remove: { fillers: true },
      },
      speed: { video_url: source, ranges: [{ start: 1, end: 2, rate: 0.5 }], reverse: true },
      timeline: {
        otio: timeline([clip('a', 30, 20), gap(5), clip('b', 0, 10)], [clip('a', 30, 35)]),
        media: { a: source, b: stack.media('open-gop.mp4') },
      },
      merge_urls: { urls: [source, { url: source, start: 1, end: 2 }], transition: 'clock', duration: 0.4 },
      redub: { video_url: source, voice_url: stack.media('sound.mp3'), mode: 'mix' },
      captions_auto: {
        video_url: source,
        captions: '1\n00:00:00,500 --> 00:00:01,500\nHello world.\n',
        outputs: ['vtt'],
      },
      transcribe: { audio_url: stack.media(SAID), language: 'en' },
      redub_tts: { video_url: source, segments: [{ start: 1, text: 'Hello world.' }], provider: 'builtin' },
      redub_vc: { video_url: stack.media('speech-wide.mp4'), consent: true, voice_id: 'deep' },
      separate: { video_url: stack.media('speech-wide.mp4'), return_video: 'instrumental' },
      visualize: { audio_url: source, video_url: source, width: 320, height: 180, title: 'Test' },
      photo_animate: { photo_urls: [still, still], duration: 1, width: 320, audio_url: source },
      frame: { video_url: source, count: 2 },
    };
    const request = own[name] ?? exampleRequest(name, { video: source, still });
    const task = await run(name, { ...request, metadata: { ref: 'a-1' }, output_name: 'my result' });
    expect(task.error).toBeNull();
    expect(task).toMatchObject({
      status: 'completed',
      progress_percent: 100,
      attempt: 1,
      metadata: { ref: 'a-1' },
    });
    expect(task.output?.file_name).toMatch(/^my result/);
    operations[name].data.parse(task.output?.data);
    await fetchFile(task);
  });

  it('a cut keeps exactly the frames asked for, and says which seconds became which', async () => {
    const task = await run('cut', { video_url: stack.media('plain.mp4'), start: 1, duration: 1.5 });
    const path = await fetchFile(task);
    const all = await readNumbers(join(fixtures, 'plain.mp4'));
    const fps = task.output?.fps ?? 0;
    expect(await readNumbers(path)).toEqual(all.slice(Math.round(fps), Math.round(fps * 2.5)));
    expect(task.output?.time_map).toEqual([{ source: 0, in: [1, 2.5], out: [0, 1.5] }]);
    expect(
      ffprobe(path)
        .streams.map((stream) => stream.codec_type)
        .sort(),
    ).toEqual(['audio', 'video']);
  });

  it('captions of a video, given as the output of a task, move with what a cut of it has kept', async () => {
    const source = stack.media('plain.mp4');
    const captions = [
      '00:00:00,100 --> 00:00:00,900',
      '00:00:01,500 --> 00:00:02,400',
      '00:00:05,000 --> 00:00:05,500',
    ]
      .map((times, index) => `${index + 1}\n${times}\nCaption ${index + 1}.\n`)
      .join('\n');
    const made = await run('captions_auto', { video_url: source, captions, burn: false });
    expect(made.output?.files.map(({ role }) => role)).toEqual(['captions_srt']);
    const kept = await run('cut', {
      video_url: source,
      segments: [
        { start: 1, end: 2.5 },
        { start: 4.5, end: 6 },
      ],
    });
    const task = await run('captions_auto', {
      video_url: `task:${kept.id}`,
      captions_url: `task:${made.id}`,
      time_map_task: kept.id,
      outputs: ['srt'],
    });
    const cues = parseSubtitles(readFileSync(await fetchFile(task, 'captions_srt'), 'utf8'));
    expect(cues).toEqual([
      { start: 0.5, end: 1.4, text: 'Caption 2.' },
      { start: 2, end: 2.5, text: 'Caption 3.' },
    ]);
    expect(task.output?.duration).toBe(3);
    const film = await stack.service.submit('/captions/auto', {
      video_url: source,
      captions_url: `task:${kept.id}`,
    });
    expect((await stack.service.finished(film.id)).error).toMatchObject({
      code: 'captions_invalid',
      source_index: 1,
    });
  });

  it('a spoken sentence becomes text, and captions without a video', async () => {
    const audio_url = stack.media(SAID);
    const task = await run('transcribe', { audio_url, language: 'en', outputs: ['txt', 'words_json'] });
    expect(task.output).toMatchObject({ duration: null, media_type: 'text/plain' });
    const text = readFileSync(await fetchFile(task), 'utf8').trim();
    expect(text).toMatch(/^The old man walked along .*\.$/);
    expect(task.output?.data).toMatchObject({ text, times: 'heard' });
    expect(task.warnings.map(({ code }) => code)).toContain('basic_engine');
    const words = JSON.parse(readFileSync(await fetchFile(task, 'transcript_words_json'), 'utf8'));
    const captions = await run('captions_auto', {
      audio_url,
      captions: words.words,
      outputs: ['srt', 'vtt'],
    });
    expect(captions.output?.files.map(({ role }) => role)).toEqual(['captions_srt', 'captions_vtt']);
    const cues = parseSubtitles(readFileSync(await fetchFile(captions), 'utf8')) ?? [];
    expect(cues.map((cue) => cue.text.replace(/\n/g, ' ')).join(' ')).toBe(text);
    const heard = await run('transcribe', { audio_url, language: 'en', outputs: ['words_json'] });
    const edited = await run('edit_by_text', {
      ...{ audio_url, words_url: `task:${heard.id}`, keep_text: 'The old man walked' },
    });
    expect(edited.output?.data).toMatchObject({ word_count: words.words.length, engine: null });
    const { duration = 0 } = ffprobe(await fetchFile(edited)).format;
    expect(Number(duration)).toBeCloseTo(edited.output?.duration ?? 0, 1);
    // Words of PocketSphinx follow one another without a gap.
    expect(edited.output?.duration).toBeCloseTo(words.words[3].end, 1);
    const other = await run('edit_by_text', {
      ...{ audio_url, words_url: `task:${task.id}`, remove: { fillers: true } },
    });
    expect(other.error).toMatchObject({ code: 'captions_invalid', pointer: '/words_url' });
    const burned = await run('captions_auto', { video_url: audio_url, captions: words.words, burn: true });
    expect(burned.error).toMatchObject({ code: 'source_no_video', fault: 'source' });
  });

  it('sound that goes on with other channels is heard throughout', async () => {
    const task = await run('transcode', { video_url: stack.media(FILM), quality: 'low' });
    const pulses = (await readPulses(await fetchFile(task))).map((pulse) => Math.round(pulse));
    expect(pulses.filter((pulse) => pulse > 0)).toEqual([1, 2, 3, 4, 5]);
  });

  it('a merge shows every clip around its joint, over music, and says where the joint is', async () => {
    const urls = [stack.media('plain.mp4'), { url: stack.media('no-sound.mp4'), start: 1, end: 3 }];
    const request = {
      urls,
      transition: 'heart',
      duration: 0.5,
      background_audio_url: stack.media('sound.mp3'),
    };
    const task = await run('merge_urls', request);
    const path = await fetchFile(task);
    const found = await readNumbers(path);
    expect(found).toHaveLength(180 + 60 - 15);
    expect(found.slice(0, 165)).toEqual(range(0, 165));
    expect(found.slice(180)).toEqual(range(45, 90));
    const data = (task.output?.data ?? {}) as Record<string, number>;
    const { joints, copied_seconds = 0, rendered_seconds = 0 } = data;
    expect(joints).toEqual([{ index: 0, type: 'heart', at: 5.5, duration: 0.5 }]);
    expect(copied_seconds).toBeGreaterThan(6);
    expect(copied_seconds + rendered_seconds).toBeCloseTo(7.5, 5);
    expect(task.output?.time_map).toEqual([
      { source: 0, in: [0, 6], out: [0, 6] },
      { source: 1, in: [1, 3], out: [5.5, 7.5] },
    ]);
    expect(task.warnings.map(({ code }) => code)).toEqual(['audio_missing']);
  });

  it('a merge names the clip that is at fault', async () => {
    const task = await run('merge_urls', { urls: [stack.media('plain.mp4'), stack.media('sound.mp3')] });
    expect(task.error).toMatchObject({ code: 'source_no_video', source_index: 1 });
  });

  it('segments come out joined in the order given', async () => {
    const task = await run('cut', {
      video_url: stack.media('plain.mp4'),
      segments: [
        { start: 2, end: 2.5 },
        { start: '00:00:00.500', end: 1 },
      ],
    });
    const path = await fetchFile(task);
    const fps = task.output?.fps ?? 0;
    expect(await readNumbers(path)).toEqual([
      ...range(Math.round(2 * fps), Math.round(2.5 * fps)),
      ...range(Math.round(0.5 * fps), Math.round(fps)),
    ]);
  });

  it('silences are found, edited and cut out', async () => {
    const video_url = stack.media('speech.mp4');
    const detected = await run('silence_process', { video_url, mode: 'detect', export: ['edl', 'otio'] });
    expect(detected.output?.files.map((file) => file.role)).toEqual(['document', 'edl', 'otio', 'levels']);
    const list: unknown = JSON.parse(readFileSync(await fetchFile(detected), 'utf8'));
    expect(list).toEqual(detected.output?.data);
    const { segments } = operations.silence_process.data.parse(list);
    const spared = segments.findIndex(({ action }) => action === 'silent');
    const edited = segments.map((segment, index) =>
      index === spared ? { ...segment, action: 'keep' as const } : segment,
    );
    const applied = await run('silence_process', { video_url, segments: edited });
    const expected = edited
      .filter(({ action }) => action === 'keep')
      .flatMap(({ start, end }) => range(Math.round(start * 30), Math.round(end * 30)));
    expect(await readNumbers(await fetchFile(applied))).toEqual(expected);
    expect(applied.output?.duration).toBeCloseTo(expected.length / 30, 5);
  });

  it('a range is slowed down, and a rotated video is a copy', async () => {
    const video_url = stack.media('plain.mp4');
    const slowed = await run('speed', { video_url, ranges: [{ start: 1, end: 2, rate: 0.5 }] });
    const doubled = range(30, 60).flatMap((number) => [number, number]);
    expect(await readNumbers(await fetchFile(slowed))).toEqual([
      ...range(0, 30),
      ...doubled,
      ...range(60, 180),
    ]);
    expect(slowed.output?.time_map[1]).toEqual({ source: 0, in: [1, 2], out: [1, 3] });
    const turned = await run('speed', { video_url, rotate: 90 });
    expect(turned.output).toMatchObject({ width: 180, height: 320, data: { rendered_seconds: 0 } });
  });

  it('an exported timeline comes back as it was', async () => {
    const video_url = stack.media('plain.mp4');
    const segments = [{ start: 1, end: 2, action: 'silent' }];
    const edit = await run('silence_process', { video_url, segments, export: ['otio'] });
    const otio = readFileSync(await fetchFile(edit, 'otio'), 'utf8');
    const task = await run('timeline', { otio, media: { 'plain.mp4': video_url } });
    const numbers = await readNumbers(await fetchFile(task));
    expect(numbers).toEqual([...range(0, 30), ...range(60, 180)]);
    expect(numbers).toEqual(await readNumbers(await fetchFile(edit)));
    expect(task.output?.data.copied_seconds).toBe(edit.output?.data.copied_seconds);
    const longer = await run('timeline', {
      otio: timeline([clip('a', 0, 9000)]),
      media: { a: video_url },
    });
    expect(longer.error).toMatchObject({ code: 'time_out_of_range', fault: 'caller', source_index: 0 });
    expect(longer.error?.detail).toContain('otio.tracks.children[0].children[0] ends at 300 s');
  });

  it('each of several frames is a file of its own', async () => {
    const task = await run('frame', {
      video_url: stack.media('plain.mp4'),
      timestamps: [0, 1, 2],
      format: 'png',
    });
    expect(task.output?.files.map((file) => file.role)).toEqual(['frame_001', 'frame_002', 'frame_003']);
    const { fps } = (await run('cut', { video_url: stack.media('plain.mp4'), duration: 1 })).output ?? {
      fps: 0,
    };
    for (const [second, role] of ['frame_001', 'frame_002', 'frame_003'].entries()) {
      expect(await readNumbers(await fetchFile(task, role))).toEqual([Math.round(second * (fps ?? 0))]);
    }
  });

  it('the last frame is the last one', async () => {
    for (const name of ['plain.mp4', 'long-gop.mp4', 'open-gop.mp4', 'vfr.mp4', 'vp9.webm']) {
      const task = await run('frame_last', { video_url: stack.media(name), format: 'png' });
      expect([name, task.status]).toEqual([name, 'completed']);
      const all = await readNumbers(join(fixtures, name));
      expect([name, await readNumbers(await fetchFile(task))]).toEqual([name, [all.at(-1)]]);
    }
  });

  it('the probe can be downloaded as the document it is', async () => {
    const task = await run('probe', { url: stack.media('plain.mp4'), loudness: true });
    const response = await fetch(task.output?.file_url ?? '');
    expect(await response.json()).toEqual(task.output?.data);
  });
});

describe.concurrent('a task that cannot be done', () => {
  it.each([
    ['cut', { video_url: 'missing.mp4', duration: 1 }, 'source_http_error', 'source'],
    ['cut', { video_url: 'empty.mp4', duration: 1 }, 'source_not_media', 'source'],
    ['cut', { video_url: 'plain.mp4', start: 3600, duration: 1 }, 'time_out_of_range', 'caller'],
    ['cut', { audio_url: 'no-sound.mp4', duration: 1 }, 'source_no_audio', 'source'],
    [
      'crop',
      { video_url: 'plain.mp4', x: 300, y: 0, width: 640, height: 90 },
      'crop_out_of_bounds',
      'caller',
    ],
    ['crop', { video_url: 'sound.mp3', aspect_ratio: '1:1' }, 'source_no_video', 'source'],
    ['frame_last', { video_url: 'sound.wav' }, 'source_no_video', 'source'],
    ['transcode', { video_url: 'no-sound.mp4', audio_only: true }, 'source_no_audio', 'source'],
    ['transcode', { video_url: 'mute.mp4', normalize_lufs: -16 }, 'all_silent', 'caller'],
    ['silence_process', { video_url: 'mute.mp4' }, 'all_silent', 'caller'],
    [
      'speed',
      { video_url: 'plain.mp4', ranges: [{ start: 3600, end: 3601, rate: 2 }] },
      'time_out_of_range',
      'caller',
    ],
  ] as const)('%s of %o fails with %s', async (name, given, code, fault) => {
    const input = Object.fromEntries(
      Object.entries(given).map(([key, value]) => [
        key,
        key.endsWith('url') ? stack.media(String(value)) : value,
      ]),
    );
    const task = await run(name, input);
    expect(task).toMatchObject({ status: 'failed', output: null, error: { code, fault } });
    expect(task.error?.detail.length).toBeGreaterThan(10);
    expect(JSON.stringify(task.error)).not.toMatch(/\/(tmp|work|var|home)\//);
  });
});
