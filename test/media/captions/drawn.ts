import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Cue, srtText } from '../../../schema/media/subtitles.ts';
import { operations } from '../../../schema/operations/index.ts';
import { openBroughtFont } from '../../../transcoder/letters/fonts/brought-letters.ts';
import { loadLetters } from '../../../transcoder/letters/load-letters.ts';
import type { Letters } from '../../../transcoder/model/letters.ts';
import type { MovingProbe } from '../../../transcoder/model/source/media-probe.ts';
import { planners } from '../../../transcoder/operations/index.ts';
import { programs } from '../../fixtures/make.ts';
import { means, source } from '../../pure/operations/sources.ts';

const { letters, fonts } = await loadLetters(programs);

interface Canvas {
  width: number;
  height: number;
  /** In seconds. */
  duration: number;
}

type Captioned = { captions: Cue[] } & Record<string, unknown>;

/** The document that captions are drawn from, and the files of a request. */
export function textsOf(request: Captioned, canvas: Canvas): string[] {
  const { texts, warnings } = planned(request, canvas, letters);
  expect(warnings).toEqual([]);
  return texts;
}

/** The document of captions in the font of a caller, in whose directory it is. */
export async function documentIn(request: Captioned, canvas: Canvas, directory: string): Promise<string> {
  const brought = await openBroughtFont({ letters, fonts, directory, sandbox: undefined, signal: undefined });
  try {
    const style = { font_url: 'https://media.example.com/font.ttf' };
    const plan = () => planned({ ...request, style }, canvas, brought).texts[0] ?? '';
    let document = plan();
    while (await brought.settle()) document = plan();
    return document;
  } finally {
    brought.close();
  }
}

function planned(
  { captions, ...request }: Captioned,
  { width, height, duration }: Canvas,
  letters: Letters,
): { texts: string[]; warnings: unknown } {
  const input = operations.captions_auto.received.parse({
    ...{ video_url: 'https://media.example.com/a.mp4', captions: srtText(captions), ...request },
  });
  const size = { width, height, displayWidth: width, displayHeight: height };
  if (!source.video) throw new Error('a source without video');
  const probe: MovingProbe = { ...source, duration, video: { ...source.video, ...size } };
  const facts = { letters, survey: null };
  const { steps, warnings } = planners.captions_auto.plan({ ...means, input, probes: [probe], facts });
  const drawn = steps.flatMap((one) => (one.kind === 'text' ? [one.text] : []));
  if (drawn.length === 0) throw new Error('nothing is drawn');
  return { texts: drawn, warnings };
}

interface Picture {
  width: number;
  height: number;
  /** Frames per second. */
  rate: number;
  color: string;
}

/** Draws a document over one color; its frames, one after another. */
export function drawnOver(
  document: string,
  { width, height, rate, color }: Picture,
  seconds: number,
  pixels: 'rgb24' | 'gray' = 'rgb24',
  fontsIn: string | null = null,
): Buffer {
  const directory = mkdtempSync(join(tmpdir(), 'spool-test-drawn-'));
  try {
    const file = join(directory, 'drawn.ass');
    writeFileSync(file, document);
    const background = `color=c=${color}:s=${width}x${height}:r=${rate}:d=${seconds}`;
    const own = fontsIn === null ? '' : `:fontsdir=${fontsIn}`;
    const filters = `ass=filename=${file}:original_size=${width}x${height}${own},format=${pixels}`;
    const from = ['-v', 'error', '-f', 'lavfi', '-i', background];
    return execFileSync(programs.ffmpeg, [...from, '-vf', filters, '-f', 'rawvideo', '-'], {
      maxBuffer: 2 ** 30,
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The picture of a document at a second, over each color. */
export function drawnOverAll(
  document: string,
  { width, height, second }: { width: number; height: number; second: number },
  colors: readonly string[],
): Buffer[] {
  const directory = mkdtempSync(join(tmpdir(), 'spool-test-drawn-'));
  try {
    const file = join(directory, 'drawn.ass');
    writeFileSync(file, document);
    const plain = colors.map((color, index) => `color=c=${color}:s=${width}x${height}:r=1:d=1[c${index}]`);
    const labels = colors.map((_, index) => `[c${index}]`).join('');
    // All frames have the same time.
    const drawing = `setpts=${second}/TB,ass=filename=${file}:original_size=${width}x${height},format=rgb24`;
    const graph = `${plain.join(';')};${labels}concat=n=${colors.length},format=rgb24,${drawing}`;
    const args = [
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      graph,
      '-fps_mode',
      'passthrough',
      '-f',
      'rawvideo',
      '-',
    ];
    const bytes = execFileSync(programs.ffmpeg, args, { maxBuffer: 2 ** 30 });
    const size = 3 * width * height;
    return colors.map((_, index) => bytes.subarray(index * size, (index + 1) * size));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Levels; the fringe of a blur is fainter. */
const VISIBLE = 24;
export const GREY = 128;

/** Whether a pixel of a gray picture is another than its background. */
const isDrawn = (frame: Buffer, pixel: number) => Math.abs((frame[pixel] ?? GREY) - GREY) > VISIBLE;

/** Pixels outside the margins, from the edge; of gray frames, the offsets in a frame. */
export function marginsOf(width: number, height: number): number[] {
  const inside = {
    ...{ left: Math.round(0.05 * width), right: width - Math.round(0.05 * width) },
    ...{ top: Math.round(0.05 * height), bottom: height - Math.round(0.06 * height) },
  };
  return Array.from({ length: width * height }, (_, pixel) => pixel).filter((pixel) => {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    return x < inside.left || x >= inside.right || y < inside.top || y >= inside.bottom;
  });
}

/** Pixels outside the middle third of the picture. */
export const outsideMiddle = (width: number, height: number) =>
  Array.from({ length: width * height }, (_, pixel) => pixel).filter(
    (pixel) => pixel < width * Math.ceil(height / 3) || pixel >= width * Math.floor((2 * height) / 3),
  );

/** Fails if a frame shows something at these pixels. */
export function expectInside(frame: Buffer, outer: readonly number[], width: number, name: string): void {
  const outside: [x: number, y: number][] = [];
  // Thousands of frames are looked at: a call for each of their pixels would take most of the time of their tests.
  for (let index = 0; index < outer.length && outside.length < 5; index++) {
    const pixel = outer[index] ?? 0;
    if (isDrawn(frame, pixel)) outside.push([pixel % width, Math.floor(pixel / width)]);
  }
  expect(outside, name).toEqual([]);
}

/** Whether any pixel of a gray picture is another than its background. */
export function showsSomething(frame: Buffer): boolean {
  for (let pixel = 0; pixel < frame.length; pixel++) if (isDrawn(frame, pixel)) return true;
  return false;
}
