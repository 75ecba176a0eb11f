import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readColor, streamOf } from '../../fixtures/barcode.ts';
import { profileOf, withProfile } from '../../fixtures/color-profile.ts';
import { programs } from '../../fixtures/make.ts';
import { withOrientation } from '../../fixtures/orientation.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';

/** Stored: red at the top left, green at the top right, blue at the bottom left, white at the bottom right; 96 × 64. */
const colors = { R: [200, 30, 30], G: [30, 200, 30], B: [30, 30, 200], W: [230, 230, 230] } as const;
/** EXIF: the quarters of the displayed picture row by row, and how far it is turned clockwise. */
const displayed = {
  1: ['RGBW', 0],
  2: ['GRWB', 0],
  3: ['WBGR', 180],
  4: ['BWRG', 180],
  5: ['RBGW', 90],
  6: ['BRWG', 90],
  7: ['WGBR', 270],
  8: ['GWRB', 270],
} as const;
type Orientation = keyof typeof displayed;
const orientations = [1, 2, 3, 4, 5, 6, 7, 8] as const;

let directory: string;
const made = (name: string) => join(directory, name);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-photo-frames-'));
  const quarter = (color: readonly number[], at: string) =>
    `drawbox=${at}:w=48:h=32:t=fill:color=0x${color.map((level) => level.toString(16).padStart(2, '0')).join('')}`;
  const { R, G, B, W } = colors;
  const quarters = [
    quarter(R, 'x=0:y=0'),
    quarter(G, 'x=48:y=0'),
    quarter(B, 'x=0:y=32'),
    quarter(W, 'x=48:y=32'),
  ];
  const still = ['-f', 'lavfi', '-i', `color=black:s=96x64,format=gbrp,${quarters.join()}`, '-frames:v', '1'];
  await run(programs, 'ffmpeg', [
    '-v',
    'error',
    '-y',
    ...still,
    '-pix_fmt',
    'yuvj444p',
    '-q:v',
    '1',
    made('0.jpg'),
  ]);
  const plain = await readFile(made('0.jpg'));
  for (const orientation of orientations)
    await writeFile(made(`${orientation}.jpg`), withOrientation(plain, orientation));
  await writeFile(made('wide.jpg'), withOrientation(withProfile(plain, profileOf('adobe-rgb')), 6));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function quartersOf(path: string) {
  const side = { width: 0.2, height: 0.2 };
  const found: string[] = [];
  for (const y of [0.15, 0.65]) {
    for (const x of [0.15, 0.65]) {
      const { r, g, b } = await readColor(path, { x, y, ...side });
      const near = Object.entries(colors).find(([, color]) =>
        [r, g, b].every((level, index) => Math.abs(level - (color[index] ?? 0)) < 12),
      );
      found.push(near?.[0] ?? `${r},${g},${b}`);
    }
  }
  return found.join('');
}

const sizeOf = (orientation: Orientation) =>
  orientation >= 5 ? { width: 64, height: 96 } : { width: 96, height: 64 };

describe.each(sampled(['libav', 'the programs'], 3))('a frame of a photo by %s', (who) => {
  const options = who === 'libav' ? {} : { libav: null };

  test.each(sampled(orientations, 3))('of orientation %i is upright', async (orientation) => {
    const source = made(`${orientation}.jpg`);
    const frame = await operate('frame', source, { timestamps: [0], format: 'png' }, options);
    const last = await operate('frame_last', source, { format: 'jpeg' }, options);
    for (const { path } of [frame, last]) {
      expect(await streamOf(path, 'v')).toMatchObject(sizeOf(orientation));
      expect(await quartersOf(path)).toBe(displayed[orientation][0]);
    }
  });

  test('has the size that was asked for as it is displayed', async () => {
    const { path } = await operate('frame_last', made('6.jpg'), { format: 'webp', width: 32 }, options);
    expect(await streamOf(path, 'v')).toMatchObject({ width: 32, height: 48 });
    expect(await quartersOf(path)).toBe(displayed[6][0]);
  });

  test('is in the colors of its profile', async () => {
    const { path } = await operate('frame', made('wide.jpg'), { timestamps: [0], format: 'png' }, options);
    // Green at the bottom right, as LittleCMS 2 converts.
    const { r, g, b } = await readColor(path, { x: 0.65, y: 0.65, width: 0.2, height: 0.2 });
    for (const [level, wanted] of [
      [r, 0],
      [g, 201],
      [b, 0],
    ] as const)
      expect(Math.abs(level - wanted)).toBeLessThan(12);
  });
});

test.each(sampled(orientations, 3))(
  'A probe says how a photo of orientation %i is displayed',
  async (orientation) => {
    const { data } = await operate('probe', made(`${orientation}.jpg`), {});
    const { width, height } = sizeOf(orientation);
    const [stream] = data.streams as Record<string, unknown>[];
    expect(stream).toMatchObject({
      ...{ width: 96, height: 64, display_width: width, display_height: height },
      rotation: displayed[orientation][1],
    });
  },
);
