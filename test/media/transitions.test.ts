import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transitionNames, transitions } from '../../schema/transitions.ts';
import { run } from '../../transcoder/ffmpeg/run.ts';
import { readColors } from '../fixtures/barcode.ts';
import { programs } from '../fixtures/make.ts';
import { ctx, operateOn } from './engine.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-transitions-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const red = join(directory, 'red.mp4');
const blue = join(directory, 'blue.mp4');

beforeAll(async () => {
  for (const [path, color] of [
    [red, '0xc83232'],
    [blue, '0x3232c8'],
  ] as const) {
    const source = `color=c=${color}:s=64x36:r=8:d=1`;
    await run(programs, 'ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, '-crf', '10', path]);
  }
});

const url = 'https://media.example.com/clip';
const request = (transition: string) => ({ urls: [url, url], transition, duration: 0.5 });

/** Half a second of a transition between a red and a blue clip of one second each; the mean colour of each frame. */
async function colorsByProgram(transition: string, capabilities = ctx.capabilities) {
  const done = await operateOn('merge_urls', [red, blue], request(transition), {
    capabilities,
    engine: null,
  });
  return readColors(done.path);
}

async function colorsByEngine(transition: string) {
  const warnings: string[] = [];
  const onWarning = (message: string) => void warnings.push(message);
  const done = await operateOn('merge_urls', [red, blue], request(transition), { onWarning });
  expect(warnings).toEqual([]);
  expect(done.data.copied_seconds).toBeGreaterThan(0);
  return readColors(done.path);
}

type Colors = Awaited<ReturnType<typeof colorsByEngine>>;

function expectTransition(colors: Colors) {
  expect(colors).toHaveLength(12);
  const away = (index: number, from: number) =>
    Math.max(
      ...(['r', 'g', 'b'] as const).map((key) =>
        Math.abs((colors[index]?.[key] ?? 0) - (colors[from]?.[key] ?? 0)),
      ),
    );
  for (const index of [1, 2, 3]) expect(away(index, 0)).toBeLessThan(5);
  for (const index of [8, 9, 10]) expect(away(index, 11)).toBeLessThan(5);
  expect(away(0, 11)).toBeGreaterThan(120);
  const mixed = [4, 5, 6, 7].filter((index) => Math.min(away(index, 0), away(index, 11)) > 8);
  expect(mixed.length).toBeGreaterThan(0);
}

describe.each([
  ['the program', colorsByProgram],
  ['the engine', colorsByEngine],
])('drawn by %s, every transition is pure before and after, and mixed between', (_, colorsOf) => {
  test.each(transitionNames)('%s', async (name) => expectTransition(await colorsOf(name)));
});

describe('where the ffmpeg program lacks a transition', () => {
  const drawn = ['coverleft', 'coverup', 'revealright', 'revealdown', 'hlwind', 'vdwind'];
  test.each(drawn)('%s is drawn by us', async (name) => {
    const without = new Set(
      [...ctx.capabilities.transitions].filter((own) => !/^(cover|reveal)|wind$/.test(own)),
    );
    expectTransition(await colorsByProgram(name, { ...ctx.capabilities, transitions: without }));
  });
});

test('this ffmpeg has all names of its filter, or all but the twelve that came later', () => {
  const lacking = transitions
    .filter(({ name, kind }) => kind === 'xfade' && !ctx.capabilities.transitions.has(name))
    .map(({ name }) => name);
  expect([0, 12]).toContain(lacking.length);
  for (const name of lacking) expect(name).toMatch(/^(cover|reveal)|wind$/);
});
