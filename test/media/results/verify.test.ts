import { mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import type { Rendered } from '../../../transcoder/media/execute/rendered.ts';
import { verify } from '../../../transcoder/media/verify/verify.ts';
import type { ExpectedMedia, ExpectedPicture } from '../../../transcoder/model/plan.ts';
import { programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { ctx } from '../operate.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-verify-'));
  const make = (...args: string[]) =>
    run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-f', 'lavfi', ...args], { cwd: directory });
  const picture = ['-i', 'testsrc2=s=64x36:r=25:d=2'];
  const sound = (seconds: number) => ['-f', 'lavfi', '-i', `sine=d=${seconds}`];
  const encode = ['-c:v', 'libx264', '-g', '10', '-c:a', 'aac'];
  await make(...picture, ...sound(2), ...encode, 'good.mp4');
  await make(...picture, ...encode, 'silent.mp4');
  await make(...picture, ...sound(1), ...encode, 'short-sound.mp4');
  await make(...picture, ...sound(1.925), ...encode, 'long-last-frame.mp4');
  await make(...picture, ...sound(2), ...encode, '-bsf:v', 'noise=drop=gt(n\\,24)', 'lost-frames.mp4');
  // Nonsense in every packet of the picture.
  await make(...picture, ...sound(2), ...encode, '-bsf:v', 'noise=amount=1', 'undecodable.mp4');
  const marks =
    '[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=1\ntitle=One\n[CHAPTER]\nTIMEBASE=1/1\nSTART=1\nEND=2\ntitle=Two\n';
  await writeFile(join(directory, 'marks.txt'), `;FFMETADATA1\n${marks}`);
  await make(...picture, ...sound(2), '-f', 'ffmetadata', '-i', 'marks.txt', ...encode, 'chapters.mp4');
  await make('-i', 'testsrc2=s=64x36', '-frames:v', '1', 'picture.png');
  await writeFile(join(directory, 'empty.mp4'), '');
  await make(...picture, ...sound(2), ...encode, 'cut-off.mp4');
  await truncate(join(directory, 'cut-off.mp4'), 3000);
  await make(...picture, ...sound(2), ...encode, '-movflags', '+faststart', 'half.mp4');
  await truncate(join(directory, 'half.mp4'), (await stat(join(directory, 'half.mp4'))).size / 2);
});
afterAll(() => rm(directory, { recursive: true }));

const planned = {
  ...{ format: 'mov', video: { codec: 'h264', width: 64, height: 36, frames: 50 }, audio: { codec: 'aac' } },
  ...{ duration: 2, tolerance: 0.04, endsTogether: true, slack: 0 },
} satisfies Omit<ExpectedMedia, 'file'>;

function rendered(file: string, media: ExpectedMedia[], pictures: ExpectedPicture[]): Rendered {
  const path = join(directory, file);
  return {
    files: [{ role: 'video', path, extension: 'mp4', media_type: 'video/mp4' }],
    expect: { media, pictures },
    ...{ duration: 2, width: 64, height: 36, fps: 25, data: {}, time_map: [], warnings: [] },
  };
}

const verdictOf = async (file: string, media: ExpectedMedia[], pictures: ExpectedPicture[] = []) =>
  verify(ctx, rendered(file, media, pictures)).then(
    () => 'verified',
    (error: unknown) => error,
  );

test('a result that is what was planned is verified', async () => {
  expect(await verdictOf('good.mp4', [{ ...planned, file: 'good.mp4' }])).toBe('verified');
});

test('a last frame may be shown for longer than the planned span', async () => {
  const file = 'long-last-frame.mp4';
  expect(await verdictOf(file, [{ ...planned, file, duration: 1.965 }])).toBe('verified');
});

const chapters = [
  { start: 0, end: 1, title: 'One' },
  { start: 1, end: 2, title: 'Two' },
];
const moved = (by: number) =>
  chapters.map(({ start, end, title }) => ({ start: start && start + by, end, title }));

test('a result with the chapters that were planned is verified', async () => {
  const file = 'chapters.mp4';
  expect(await verdictOf(file, [{ ...planned, file, chapters: moved(0.001) }])).toBe('verified');
});

const video = planned.video;
test.each<[string, string, Partial<ExpectedMedia>]>(
  sampled(
    [
      ['is empty', 'empty.mp4', {}],
      ['is missing', 'missing.mp4', {}],
      ['is cut off before its index', 'cut-off.mp4', {}],
      ['is cut off behind its index', 'half.mp4', {}],
      ['has another length', 'good.mp4', { duration: 2.5 }],
      ['has another codec', 'good.mp4', { video: { ...video, codec: 'hevc' } }],
      ['has another size', 'good.mp4', { video: { ...video, width: 128 } }],
      ['has another number of frames', 'good.mp4', { video: { ...video, frames: 51 } }],
      ['lacks its sound', 'silent.mp4', {}],
      ['has sound that nobody planned', 'good.mp4', { audio: null }],
      ['has sound that ends early', 'short-sound.mp4', {}],
      ['has lost its last frames', 'lost-frames.mp4', { video: { ...video, frames: null } }],
      ['does not decode', 'undecodable.mp4', {}],
      ['lacks its chapters', 'good.mp4', { chapters }],
      ['has chapters that were not planned', 'chapters.mp4', {}],
      ['lacks a chapter', 'chapters.mp4', { chapters: [...chapters, { start: 2, end: 3, title: 'Three' }] }],
      ['has a chapter 1 s early', 'chapters.mp4', { chapters: moved(1) }],
      ['has a chapter 3 ms late', 'chapters.mp4', { chapters: moved(-0.003) }],
      ['has another title', 'chapters.mp4', { chapters: chapters.map((one) => ({ ...one, title: 'One' })) }],
      ['lacks its captions', 'good.mp4', { texts: [{ codec: 'mov_text' }] }],
    ],
    3,
  ),
)('a result that %s is refused', async (_, file, other) => {
  const verdict = await verdictOf(file, [{ ...planned, ...other, file }]);
  expect(verdict).toMatchObject({ code: expect.stringMatching(/^(output_invalid|render_failed)$/) });
});

test.each(
  sampled(
    [
      ['has another size', { format: 'png', width: 65, height: 36 }],
      ['has another format', { format: 'jpeg', width: 64, height: 36 }],
    ] as const,
    3,
  ),
)('a picture that %s is refused', async (_, other) => {
  const file = 'picture.png';
  const good: ExpectedPicture = { file, format: 'png', width: 64, height: 36 };
  expect(await verdictOf(file, [], [good])).toBe('verified');
  expect(await verdictOf(file, [], [{ ...good, ...other }])).toMatchObject({ code: 'output_invalid' });
});
