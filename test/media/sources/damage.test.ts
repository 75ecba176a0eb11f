import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { tracedToSource } from '../../../transcoder/media/verify/source-damage.ts';
import { TaskFailure } from '../../../transcoder/model/task-failure.ts';
import { demuxerOfFile } from '../../../transcoder/source/sniff.ts';
import { readNumbers } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { ctx, failureOf, operate, operateOn } from '../operate.ts';

let directory: string;
const at = (name: string) => join(directory, name);
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-damage-'));
  const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', ...args]);
  const stream = await readFile(fixture('late.ts'));
  await writeFile(at('joined-late.ts'), stream.subarray(188 * 100));
  await ffmpeg('-ss', '2.5', '-i', fixture('open-gop.mp4'), '-c', 'copy', at('within-a-group.mp4'));
  await ffmpeg('-i', fixture('plain.mp4'), '-c', 'copy', '-bsf:v', 'noise=amount=100', at('broken.mp4'));
  await ffmpeg(
    '-i',
    fixture('plain.mp4'),
    '-c',
    'copy',
    '-bsf:a',
    'noise=amount=200',
    at('broken-sound.mp4'),
  );
});
afterAll(() => rm(directory, { recursive: true }));

/** Sun's header for G.721, which ffmpeg decodes in one channel alone, and samples. */
function g721(channels: number): Buffer {
  const header = Buffer.alloc(24);
  header.write('.snd');
  for (const [at, value] of [24, 48_000, 23, 8000, channels].entries())
    header.writeUInt32BE(value, 4 + 4 * at);
  return Buffer.concat([header, Buffer.alloc(48_000, 0x35)]);
}

test('a codec whose decoder refuses the sound is named', async () => {
  await writeFile(at('stereo.au'), g721(2));
  const asked = operate('transcode', at('stereo.au'), { audio_only: true, format: 'mp3' });
  await expect(failureOf(asked)).resolves.toMatchObject({
    code: 'source_not_media',
    detail: expect.stringContaining('adpcm_g726le'),
  });
});

test('the same codec is read where its decoder knows it', async () => {
  await writeFile(at('mono.au'), g721(1));
  const done = await operate('transcode', at('mono.au'), { audio_only: true, format: 'wav' });
  expect(done.duration).toBeCloseTo(12, 2);
});

test('a codec without a decoder is named', async () => {
  const args = ['-v', 'error', '-i', fixture('plain.mp4'), '-c:v', 'mpeg4', '-c:a', 'mp3', at('asp.avi')];
  await run(programs, 'ffmpeg', args);
  const bytes = (await readFile(at('asp.avi'))).toString('latin1').replaceAll('FMP4', 'AVS2');
  await writeFile(at('avs2.avi'), bytes, 'latin1');
  const asked = operate('transcode', at('avs2.avi'), {});
  await expect(failureOf(asked)).resolves.toMatchObject({
    code: 'source_not_media',
    detail: expect.stringContaining('avs2'),
  });
});

test('sound of which no packet decodes is named', async () => {
  const args = ['-v', 'error', '-i', fixture('plain.mp4'), '-c:v', 'copy', '-c:a', 'aac'];
  await run(programs, 'ffmpeg', [...args, '-bsf:a', 'noise=amount=1', at('noise.mkv')]);
  const asked = operate('transcode', at('noise.mkv'), { audio_only: true, format: 'mp3' });
  await expect(failureOf(asked)).resolves.toMatchObject({
    code: 'source_damaged',
    detail: expect.stringContaining('aac'),
  });
});

test('a JPEG of which a part is missing is damaged, one that lacks only its last marker is not', async () => {
  const made = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180', '-frames:v', '1', '-q:v', '3'];
  await run(programs, 'ffmpeg', ['-v', 'error', '-y', ...made, at('whole.jpg')]);
  const whole = await readFile(at('whole.jpg'));
  await writeFile(at('half.jpg'), whole.subarray(0, whole.length / 2));
  await writeFile(at('unmarked.jpg'), whole.subarray(0, -2));
  const photo_url = 'https://media.example.com/a.jpg';
  const request = { photo_url, duration: 1, fps: 2, width: 64, height: 36 };
  const failure = await failureOf(operateOn('photo_animate', [at('half.jpg')], request));
  expect(failure.code).toBe('source_damaged');
  expect((await operateOn('photo_animate', [at('unmarked.jpg')], request)).files).toHaveLength(1);
});

/** What a failure of ours becomes, and what ffprobe says of the source. */
async function blamed(name: string): Promise<{ code: string; said: string }> {
  const path = name.includes('/') ? name : at(name);
  const format = await demuxerOfFile(path);
  if (!format) throw new Error('no media');
  const source = await completeSource({ path, format });
  const ours = new TaskFailure('output_invalid', 'It lacks a frame.');
  const error = await tracedToSource(ctx, [source], ours, new AbortController().signal);
  const args = ['-v', 'error', '-count_frames', '-show_entries', 'stream=nb_read_frames', path];
  return { code: (error as TaskFailure).code, said: (await run(programs, 'ffprobe', args)).stderrTail };
}

test.each(sampled(['joined-late.ts', 'within-a-group.mp4'], 3))(
  'nobody is blamed for a line about %s, which decodes',
  async (name) => {
    const { code, said } = await blamed(name);
    expect(said).not.toBe('');
    expect(code).toBe('output_invalid');
  },
  60_000,
);

test.each(
  sampled(
    [
      ['broken.mp4', 'source_damaged'],
      ['broken-sound.mp4', 'source_damaged'],
      [fixture('truncated.mp4'), 'source_truncated'],
    ],
    3,
  ),
)(
  '%s is blamed',
  async (name, wanted) => {
    expect((await blamed(name)).code).toBe(wanted);
  },
  60_000,
);

test('frames that do not come in the order of their times are named', async () => {
  const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-y', ...args]);
  const coded = ['-an', '-t', '2', '-c:v', 'libx264', '-g', '1', '-preset', 'ultrafast'];
  await ffmpeg('-i', fixture('plain.mp4'), ...coded, at('intra.mp4'));
  // Each frame has the time of its neighbor.
  const swap = "setts=pts='PTS+(eq(mod(N,2),0)-eq(mod(N,2),1))*512':dts='DTS-512'";
  await ffmpeg('-i', at('intra.mp4'), '-c', 'copy', '-bsf:v', swap, at('swapped.mp4'));
  for (const [name, request] of [
    ['speed', { rate: 2 }],
    ['remux', { format: 'mp4' }],
    ['crop', { aspect_ratio: '1:1' }],
  ] as const)
    expect(await failureOf(operate(name, at('swapped.mp4'), request))).toMatchObject({
      code: 'source_damaged',
      detail:
        'The frames of the source do not come in the order of their times: the one at 0.033 s comes after the one at 0.066 s. Export the file again.',
    });
}, 120_000);

test('times of decoding alone, in place of both, are no disorder', async () => {
  const coded = ['-an', '-c:v', 'libx264', '-bf', '2', '-preset', 'ultrafast', '-t', '2'];
  const decoding = ['-c', 'copy', '-bsf:v', 'setts=pts=DTS'];
  const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-y', ...args]);
  await ffmpeg('-i', fixture('plain.mp4'), ...coded, at('b-frames.mp4'));
  await ffmpeg('-i', at('b-frames.mp4'), ...decoding, at('untimed.mp4'));
  expect((await blamed('untimed.mp4')).code).toBe('output_invalid');
}, 60_000);

test('a source that is whole is not', async () => {
  expect((await blamed(fixture('plain.mp4'))).code).toBe('output_invalid');
});

test.each(sampled(['m4a', 'mp3'], 3))(
  'samples that are not numbers are named where %s cannot hold them',
  async (format) => {
    const samples = new Float32Array(48_000).map((_, at) => 0.3 * Math.sin(at / 20));
    samples.fill(Number.NaN, 10_000, 10_010);
    samples.fill(Number.POSITIVE_INFINITY, 20_000, 20_010);
    await writeFile(at('not-numbers.raw'), new Uint8Array(samples.buffer));
    const raw = ['-f', 'f32le', '-ar', '48000', '-ac', '1', '-i', at('not-numbers.raw')];
    await run(programs, 'ffmpeg', ['-v', 'error', '-y', ...raw, '-c:a', 'pcm_f32le', at('not-numbers.wav')]);
    const failure = await failureOf(
      operate('transcode', at('not-numbers.wav'), { audio_only: true, format }),
    );
    expect(failure.code).toBe('source_damaged');
    expect(failure.detail).toContain('not numbers');
  },
);

test('a picture at a time that a file without its end no longer has is refused', async () => {
  const whole = at('whole.mov');
  const coded = ['-c:v', 'mjpeg', '-q:v', '5', '-an', '-movflags', '+faststart'];
  await run(programs, 'ffmpeg', ['-v', 'error', '-i', fixture('plain.mp4'), ...coded, whole]);
  const bytes = await readFile(whole);
  await writeFile(at('cut-off.mov'), bytes.subarray(0, Math.floor(bytes.length / 2)));
  const request = (time: number) => ({ timestamps: [time], format: 'png' });
  const failure = await failureOf(operate('frame', at('cut-off.mov'), request(5)));
  expect(failure.code).toBe('source_truncated');
  expect(failure.detail).toMatch(/its last frame ends at [23]\.\d+ s/);
  const early = await operate('frame', at('cut-off.mov'), request(1));
  expect(await readNumbers(early.path)).toEqual([30]);
  const missing = await failureOf(operate('frame', 'truncated.mp4', request(5.5)));
  expect(missing.code).toBe('source_damaged');
});

test('a turned picture that changes its size is followed, or named as the reason', async () => {
  const parts = await Promise.all(
    ['160x90', '320x180'].map(async (size) => {
      const part = at(`${size}.ts`);
      const picture = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25:duration=2`];
      const coded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25'];
      await run(programs, 'ffmpeg', ['-v', 'error', ...picture, ...coded, part]);
      return `file '${part}'\n`;
    }),
  );
  const [list, joined] = [at('sizes.txt'), at('resized.mp4')];
  await writeFile(list, parts.join(''));
  const read = ['-f', 'concat', '-safe', '0', '-i', list];
  const turned = ['-c', 'copy', '-metadata:s:v', 'rotate=90'];
  await run(programs, 'ffmpeg', ['-v', 'error', ...read, ...turned, joined]);
  const whole = await operate('transcode', joined, { quality: 'low', format: 'mp4' });
  expect(whole).toMatchObject({ width: 90, height: 160 });
  expect(whole.duration).toBeCloseTo(4, 1);
  const failure = await failureOf(operate('crop', joined, { aspect_ratio: '1:1' }));
  expect(failure.code).toBe('source_damaged');
  expect(failure.detail).toMatch(/changes its size, from 160 × 90 to 320 × 180 at 2\.\d+ s.*\/transcode/);
});
