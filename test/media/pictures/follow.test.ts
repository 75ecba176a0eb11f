import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { type PathPoint, piecesOf, placeAt } from '../../../transcoder/operations/plan/camera/camera-path.ts';
import { readColor, readTimes } from '../../fixtures/barcode.ts';
import { filteredPictures } from '../../fixtures/decoded.ts';
import { drawnFace } from '../../fixtures/drawn-face.ts';
import { programs } from '../../fixtures/make.ts';
import { withOrientation } from '../../fixtures/orientation.ts';
import { sampled } from '../../sampled.ts';
import { failureOf, operate, operateOn } from '../operate.ts';

const url = 'https://media.example.com/a';

let directory: string;
const made = (name: string) => join(directory, name);
const ffmpeg = (...args: string[]) =>
  run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', '-bitexact', ...args], { cwd: directory });

/** A red mark of 40 × 60 px: stands at x 80 for 4 s, goes to x 480 in 4 s, stands for 2 s; then a cut, and it stands at x 60. */
const MARK = 40;
const SOURCE = { width: 640, height: 360 };
const WIDTH = 202;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-follow-'));
  const plain = (color: string, size: string, seconds: number) => [
    ...['-f', 'lavfi', '-i', `color=c=${color}:s=${size}:r=25:d=${seconds}`],
  ];
  await ffmpeg(
    ...[...plain('0x506060', '640x360', 10), ...plain('0xd02020', '40x60', 10)],
    ...[...plain('0x303080', '640x360', 3), ...plain('0xd02020', '40x60', 3)],
    '-filter_complex',
    "[0][1]overlay=x='80+400*clip((t-4)/4,0,1)':y=150[a];[2][3]overlay=x=60:y=150[b];[a][b]concat=n=2:v=1[v]",
    ...[
      '-map',
      '[v]',
      '-c:v',
      'libx264',
      '-preset',
      'veryfast',
      '-crf',
      '12',
      '-pix_fmt',
      'yuv420p',
      'mark.mp4',
    ],
  );
  await ffmpeg(...plain('0x506060', '640x360', 1), '-pix_fmt', 'yuv420p', 'plain.mp4');
  const face = drawnFace({ width: 416, height: 234 }, { x: 312, y: 110, half: 32 });
  const ppm = Buffer.from(`P6 ${face.width} ${face.height} 255\n`);
  await writeFile(made('face.ppm'), Buffer.concat([ppm, face.pixels]));
  await ffmpeg('-i', 'face.ppm', '-vf', 'scale=832:468', '-q:v', '2', 'face.jpg');
  const moves = [
    ...['-loop', '1', '-framerate', '10', '-t', '2', '-i', 'face.jpg'],
    ...[
      '-vf',
      'split[a][b];[a]hflip,trim=end_frame=1[left];[b]trim=start_frame=1[right];[left][right]concat',
    ],
  ];
  await ffmpeg(...moves, 'moves.gif');
  await ffmpeg(...moves, '-f', 'apng', 'moves.png');
  // A quarter turn to the left; EXIF turns it back.
  await ffmpeg('-i', 'face.ppm', '-vf', 'scale=832:468,transpose=cclock', '-q:v', '2', 'turned.jpg');
  await writeFile(made('turned.jpg'), withOrientation(await readFile(made('turned.jpg')), 6));
  await ffmpeg(
    ...['-loop', '1', '-framerate', '12', '-i', 'face.jpg', '-t', '2'],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', 'face.mp4'],
  );
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** First and last red pixel of the mark's middle row in each frame; null where it is not seen. */
async function marksIn(path: string, width = WIDTH): Promise<({ from: number; to: number } | null)[]> {
  const rows = await filteredPictures(path, `crop=${width}:2:0:180,format=rgb24`);
  const size = width * 2 * 3;
  return Array.from({ length: rows.length / size }, (_, frame) => {
    const red = Array.from({ length: width }, (_, x) => x).filter((x) => {
      const at = frame * size + x * 3;
      return (rows[at] ?? 0) > 140 && (rows[at + 1] ?? 0) < 90;
    });
    const [from, to] = [red[0], red.at(-1)];
    return from === undefined || to === undefined ? null : { from, to };
  });
}

const pathIn = ({ data }: { data: Record<string, unknown> }) => data.path as PathPoint[];
const follow = { aspect_ratio: '9:16', follow: 'subject' };

describe('a crop that follows the subject', () => {
  test('keeps a mark in view, every frame at its time, stands while it stands and jumps at the cut alone', async () => {
    const done = await operate('crop', made('mark.mp4'), follow);
    expect(done).toMatchObject({ width: WIDTH, height: 360, data: { focus: { by: 'saliency' } } });
    expect(await readTimes(done.path)).toEqual(await readTimes(made('mark.mp4')));
    const marks = await marksIn(done.path);
    expect(marks).toHaveLength(325);
    const whole = marks.filter((mark) => mark !== null && mark.to - mark.from >= MARK - 4);
    expect(whole.length).toBeGreaterThanOrEqual(0.9 * marks.length);
    // The mark stands from 0 to 4 s, at 9 s and after the cut, and so does the picture.
    for (const [from, to] of [
      [0, 80],
      [230, 249],
      [251, 324],
    ] as const) {
      for (let frame = from; frame <= to; frame++)
        expect([frame, marks[frame]]).toEqual([frame, marks[from]]);
    }
    const jumps = pathIn(done).filter(({ ease }) => ease === 'jump');
    expect(jumps).toEqual([{ time: 10, x: expect.any(Number), y: 0, ease: 'jump' }]);
  });

  test('goes along as many points as a path may have, moving along both sides between all of them', async () => {
    const path = Array.from({ length: 500 }, (_, at): PathPoint => {
      const [x, y] = [at < 250 ? at : 500 - at, at % 20];
      return { time: Math.round(26 * at) / 1000 + 0.0001 * (at % 7), x, y, ease: 'smooth' };
    });
    const done = await operate('crop', made('mark.mp4'), { width: 202, height: 300, path });
    const [marks, inSource] = [await marksIn(done.path), await marksIn(made('mark.mp4'), SOURCE.width)];
    const pieces = piecesOf(path, 'x');
    let compared = 0;
    for (const [frame, mark] of marks.entries()) {
      const edge = 2 * Math.round(placeAt(pieces, frame / 25) / 2);
      const wanted = (inSource[frame]?.from ?? 0) - edge;
      if (wanted < 2 || wanted > WIDTH - MARK - 2) continue;
      compared++;
      expect(Math.abs((mark?.from ?? 0) - wanted), `frame ${frame}`).toBeLessThanOrEqual(1);
    }
    expect(compared).toBeGreaterThan(50);
  });

  test('makes the same pictures of the path of its result, and of an edited one what that says', async () => {
    const first = await operate('crop', made('mark.mp4'), follow);
    const again = await operate('crop', made('mark.mp4'), { aspect_ratio: '9:16', path: pathIn(first) });
    expect(again.data).toEqual({ rectangle: first.data.rectangle, path: pathIn(first) });
    const pictures = (path: string) => filteredPictures(path, 'format=gray');
    expect((await pictures(again.path)).equals(await pictures(first.path))).toBe(true);
    const path: PathPoint[] = [
      { time: 1, x: 0, y: 0, ease: 'smooth' },
      { time: 2.5, x: 61, y: 0, ease: 'smooth' },
      { time: 3, x: 61, y: 0, ease: 'smooth' },
      { time: 3, x: 20, y: 0, ease: 'jump' },
      { time: 8, x: 400, y: 0, ease: 'smooth' },
      { time: 9.6, x: 300, y: 0, ease: 'smooth' },
      { time: 10, x: 10, y: 0, ease: 'jump' },
    ];
    const edited = await operate('crop', made('mark.mp4'), { aspect_ratio: '9:16', path });
    const marks = await marksIn(edited.path);
    const inSource = await marksIn(made('mark.mp4'), SOURCE.width);
    const pieces = piecesOf(path, 'x');
    let compared = 0;
    for (const [frame, mark] of marks.entries()) {
      const time = frame / 25;
      const edge = 2 * Math.round(placeAt(pieces, time) / 2);
      const wanted = (inSource[frame]?.from ?? 0) - edge;
      if (wanted < 2 || wanted > WIDTH - MARK - 2) continue;
      compared++;
      expect(mark, `frame ${frame}`).not.toBeNull();
      expect(Math.abs((mark?.from ?? 0) - wanted), `frame ${frame}`).toBeLessThanOrEqual(1);
    }
    expect(compared).toBeGreaterThan(200);
  });

  test.each(sampled(['vfr.mp4', 'late.ts', 'rotated.mp4', 'h264-10bit.mp4'], 3))(
    'moves along a path by the times of frames, which it keeps: %s',
    async (source) => {
      const path = [
        { time: 0, x: 20, y: 10 },
        { time: 4, x: 60, y: 40 },
      ];
      const moving = await operate('crop', source, { width: 240, height: 120, path });
      const still = await operate('crop', source, { x: 20, y: 10, width: 240, height: 120 });
      expect(await readTimes(moving.path)).toEqual(await readTimes(still.path));
      expect(moving.data).toMatchObject({ rectangle: { x: 20, y: 10, width: 240, height: 120 } });
      const pictures = (path: string) => filteredPictures(path, 'select=eq(n\\,0),format=gray');
      const [one, other] = await Promise.all([pictures(moving.path), pictures(still.path)]);
      const off = one.reduce((sum, level, at) => sum + Math.abs(level - (other[at] ?? 0)), 0) / one.length;
      expect(off).toBeLessThan(2);
    },
  );

  test('refuses a point from which the crop would leave the picture', async () => {
    const path = [
      { time: 0, x: 0, y: 0 },
      { time: 1, x: 500, y: 0 },
    ];
    const failure = await failureOf(operate('crop', made('plain.mp4'), { aspect_ratio: '9:16', path }));
    expect(failure).toEqual({
      code: 'crop_out_of_bounds',
      detail:
        '`path[1]` is at x 500, y 0, but a crop of 202 × 360 px can be at most at x 438, y 0 of the displayed picture (640 × 360 px).',
    });
  });
});

describe('a still crop that looks for the subject', () => {
  test('has a face in its middle', async () => {
    const done = await operate('crop', made('face.mp4'), { aspect_ratio: '9:16', anchor: 'auto' });
    expect(done.data).toMatchObject({ focus: { by: 'face' } });
    const { rectangle } = done.data as { rectangle: { x: number; width: number } };
    expect(Math.abs(rectangle.x + rectangle.width / 2 - 0.75 * 832)).toBeLessThan(0.1 * rectangle.width);
  });

  test('stays in the middle of a picture in which nothing stands out, and says that', async () => {
    const done = await operate('crop', made('plain.mp4'), { aspect_ratio: '9:16', anchor: 'auto' });
    expect(done.data).toEqual({
      rectangle: { x: (SOURCE.width - WIDTH - 2) / 2, y: 0, width: WIDTH, height: 360 },
      focus: { x: 0.5, y: 0.5, by: 'center' },
    });
  });
});

describe('an animated photo that looks for the subject', () => {
  test.each(sampled(['face.jpg', 'turned.jpg'], 3))('zooms out of the face: %s', async (photo) => {
    const request = { focus: 'auto', preset: 'zoom_out', zoom_end: 3, duration: 1, fps: 10, width: 320 };
    const done = await operateOn('photo_animate', [made(photo)], { ...request, photo_url: url });
    const { timeline } = done.data as { timeline: [{ focus: { x: number; y: number; by: string } }] };
    const { focus } = timeline[0];
    expect(focus.by).toBe('face');
    expect(Math.abs(focus.x - 0.75)).toBeLessThan(0.05);
    expect(Math.abs(focus.y - 0.47)).toBeLessThan(0.1);
    // Skin is what the middle of the first frame shows; the background is greener than red.
    const { r, g } = await readColor(done.path, { x: 0.47, y: 0.45, width: 0.06, height: 0.06 });
    expect(r).toBeGreaterThan(g + 20);
  });

  test.each(['moves.gif', 'moves.png'])('looks at the one picture of %s that is shown', async (photo) => {
    const request = { focus: 'auto', preset: 'zoom_out', duration: 1, fps: 10, width: 320 };
    const done = await operateOn('photo_animate', [made(photo)], { ...request, photo_url: url });
    const { timeline } = done.data as { timeline: [{ focus: { x: number; by: string } }] };
    expect(timeline[0].focus.by).toBe('face');
    expect(Math.abs(timeline[0].focus.x - 0.25)).toBeLessThan(0.05);
  });

  test('leaves a photo with its own focus alone', async () => {
    const photo_urls = [{ url, focus_x: 0.1 }, url];
    const request = { focus: 'auto', photo_urls, duration: 1, fps: 10, width: 320, transition: 'none' };
    const files = [made('face.jpg'), made('face.jpg')];
    const { data } = await operateOn('photo_animate', files, request);
    const { timeline } = data as { timeline: { focus?: unknown }[] };
    expect(timeline.map(({ focus }) => focus !== undefined)).toEqual([false, true]);
  });
});
