import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transitionNames, transitions } from '../../../schema/media/transitions.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readColors } from '../../fixtures/barcode.ts';
import { programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { ctx, operateOn } from '../operate.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-transitions-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Frames of a transition, one of them in its middle, and of a clip that is seen alone before, between and after them. */
const MIXED = 5;
const ALONE = 4;
const RATE = 8;
/** Joints of one task. */
const JOINTS = 8;
const clips = ['0xc83232', '0x3232c8'].map((color, index) => ({
  ...{ color, path: join(directory, `${index}.mp4`) },
}));

beforeAll(async () => {
  for (const { color, path } of clips) {
    const source = `color=c=${color}:s=64x36:r=${RATE}:d=${(2 * MIXED + ALONE) / RATE}`;
    await run(programs, 'ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, '-crf', '10', path]);
  }
});

/** Clips that are red and blue in turn, joined by these transitions; the mean color of each frame. */
async function merged(names: readonly string[], options: Parameters<typeof operateOn>[3]) {
  const files = Array.from({ length: names.length + 1 }, (_, index) => clips[index % 2]?.path ?? '');
  const request = {
    urls: files.map(() => 'https://media.example.com/clip'),
    transitions: names.map((type) => ({ type, duration: MIXED / RATE })),
  };
  const done = await operateOn('merge_urls', files, request, options);
  return { done, colors: await readColors(done.path) };
}

type Colors = Awaited<ReturnType<typeof readColors>>;

async function colorsByProgram(names: readonly string[], capabilities = ctx.capabilities): Promise<Colors> {
  return (await merged(names, { capabilities, libav: null })).colors;
}

async function colorsByLibav(names: readonly string[]): Promise<Colors> {
  const warnings: string[] = [];
  const { done, colors } = await merged(names, { onWarning: (message) => void warnings.push(message) });
  expect(warnings).toEqual([]);
  expect(done.data.copied_seconds).toBeGreaterThan(0);
  return colors;
}

/** The joint begins when the clip before it has been seen alone; beside it nothing is mixed. */
function expectTransition(colors: Colors, joint: number) {
  const from = MIXED + ALONE + joint * (MIXED + ALONE);
  const away = (index: number, other: number) =>
    Math.max(
      ...(['r', 'g', 'b'] as const).map((key) =>
        Math.abs((colors[index]?.[key] ?? Number.NaN) - (colors[other]?.[key] ?? Number.NaN)),
      ),
    );
  const [before, after] = [from - ALONE, from + MIXED + ALONE - 1];
  for (let index = before; index < from; index++) expect(away(index, before)).toBeLessThan(5);
  for (let index = from + MIXED; index <= after; index++) expect(away(index, after)).toBeLessThan(5);
  expect(away(before, after)).toBeGreaterThan(120);
  const between = Array.from({ length: MIXED }, (_, index) => from + index);
  const mixed = between.filter((index) => Math.min(away(index, before), away(index, after)) > 8);
  expect(mixed.length).toBeGreaterThan(0);
}

const batches = Array.from({ length: Math.ceil(transitionNames.length / JOINTS) }, (_, index) =>
  transitionNames.slice(index * JOINTS, (index + 1) * JOINTS),
);

describe.each([
  ['the program', colorsByProgram, sampled(batches, 8)],
  ['libav', colorsByLibav, sampled(batches, 3, 1)],
] as const)(
  'drawn by %s, every transition is pure before and after, and mixed between',
  (_, colorsOf, some) => {
    describe.each(some.map((names) => ({ names })))('$names', ({ names }) => {
      let colors: Colors;
      beforeAll(async () => {
        colors = await colorsOf(names);
      }, 60_000);
      test('are all there is', () =>
        expect(colors).toHaveLength(MIXED + ALONE + names.length * (MIXED + ALONE) + MIXED));
      test.each(names)('%s', (name) => expectTransition(colors, names.indexOf(name)));
    });
  },
);

test('where the ffmpeg program lacks transitions, they are drawn by us', async () => {
  const drawn = ['coverleft', 'coverup', 'revealright', 'revealdown', 'hlwind', 'vdwind'];
  const without = new Set(
    [...ctx.capabilities.transitions].filter((own) => !/^(cover|reveal)|wind$/.test(own)),
  );
  const colors = await colorsByProgram(drawn, { ...ctx.capabilities, transitions: without });
  for (const joint of drawn.keys()) expectTransition(colors, joint);
});

test('this ffmpeg has all names of its filter, or all but the twelve that came later', () => {
  const lacking = transitions
    .filter(({ name, kind }) => kind === 'xfade' && !ctx.capabilities.transitions.has(name))
    .map(({ name }) => name);
  expect([0, 12]).toContain(lacking.length);
  for (const name of lacking) expect(name).toMatch(/^(cover|reveal)|wind$/);
});
