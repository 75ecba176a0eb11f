import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, readPulses } from '../../fixtures/barcode.ts';
import { type Edit, withEdits } from '../../fixtures/changed-samples.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { startAttempts } from '../attempt.ts';
import { failureOf, operate, range } from '../operate.ts';
import { scratch } from '../scratch.ts';

/** Frames a second, one in 30 of which is a keyframe. libav gives the frames of an edit that begins elsewhere other times. */
const RATE = 30;

const lists: Record<string, Edit[]> = {
  'that touch': [
    [0, 2],
    [2, 4],
  ],
  'that leave something out': [
    [0, 0.6],
    [1, 1.6],
    [2, 2.6],
    [3, 3.6],
  ],
  'that repeat something': [
    [0, 1.5],
    [0, 1.5],
  ],
  'in another order': [
    [2, 3.5],
    [0, 1.5],
  ],
};

/** The clicks, one a second, as they are heard. */
function clicksIn(edits: readonly Edit[]): number[] {
  let begin = 0;
  return edits.flatMap(([from, to]) => {
    const offset = begin - from;
    begin += to - from;
    return [1, 2, 3].filter((click) => click > from && click < to).map((click) => click + offset);
  });
}

/** libav shows a piece of sound from the beginning of a packet, up to 21 ms from where the edit begins. */
const PACKET = 1024 / 48_000;

function expectClicks(found: readonly number[], wanted: readonly number[]): void {
  for (const click of wanted) expect(found.some((one) => Math.abs(one - click) < PACKET + 0.001)).toBe(true);
}

async function inPieces(name: string, edits: readonly Edit[], ...tracks: string[]): Promise<string> {
  const plain = join(scratch(), 'plain.mp4');
  const args = ['-v', 'error', '-y', '-i', fixture('plain.mp4'), ...tracks, '-c', 'copy'];
  await run(programs, 'ffmpeg', [...args, '-movie_timescale', '1000', plain]);
  const path = join(scratch(), `${name}.mp4`);
  await writeFile(path, withEdits(edits)(await readFile(plain)));
  return path;
}

test.each(sampled(Object.entries(lists), 3))(
  'a film in pieces %s is cut and encoded as it is shown',
  async (name, edits) => {
    const video_url = 'https://media.example.com/film.mov';
    const path = await inPieces(name, edits);
    const shown = edits.flatMap(([from, to]) =>
      Array.from({ length: Math.round((to - from) * RATE) }, (_, index) => Math.round(from * RATE) + index),
    );

    const all = await operate('transcode', path, { video_url, format: 'mp4' });
    expect(await readNumbers(all.path)).toEqual(shown);
    expectClicks(await readPulses(all.path), clicksIn(edits));

    // From the frame that is shown at 0.35 s on, for 1.7 s.
    const part = await operate('cut', path, { video_url, start: 0.35, duration: 1.7 });
    expect(await readNumbers(part.path)).toEqual(shown.slice(10, 10 + 51));
    const later = clicksIn(edits).map((click) => click - 10 / RATE);
    expectClicks(
      await readPulses(part.path),
      later.filter((click) => click > 0 && click < 1.65),
    );
  },
);

test.each(
  sampled(
    [
      ['ends at a keyframe', [0, 4], 0],
      ['begins between keyframes', [0.4, 6], 0],
      ['begins and ends between keyframes', [0.4, 3.5], 0],
      ['begins and ends between keyframes, and is shown later', [0.4, 3.5], 0.5],
    ] as const,
    3,
  ),
)('only the edges are encoded of a film whose edit %s', async (name, [from, to], later) => {
  const plain = await inPieces('all', [[0, 6]]);
  const path = join(scratch(), `${name.replaceAll(/\W+/g, '-')}.mp4`);
  await writeFile(path, withEdits([[from, to]], later)(await readFile(plain)));
  const shown = range(Math.round(from * RATE), Math.round(to * RATE));

  const all = await operate('cut', path, { start: 0, end: 9 });
  expect(await readNumbers(all.path)).toEqual(shown);
  expect(Number(all.data.copied_seconds)).toBeGreaterThan(2.4);
  const end = await operate('cut', path, { start: 0.7, end: 9 });
  expect(await readNumbers(end.path)).toEqual(shown.slice(21));
  expect(Number(end.data.copied_seconds)).toBeGreaterThan(1.4);
  expectClicks(
    await readPulses(end.path),
    clicksIn([[from + 0.7, to]]).filter((click) => click < to - from - 0.75),
  );
});

test('frames of a piece that begins between keyframes are not placed anywhere', async () => {
  const halves = Array.from({ length: 6 }, (_, index): Edit => [index / 2, (index + 1) / 2]);
  const path = await inPieces('halves', halves);
  const { code, detail } = await failureOf(operate('cut', path, { start: 0.35, duration: 1.7 }));
  expect([code, detail]).toEqual(['source_damaged', expect.stringContaining('edit list')]);
});

test('sound in pieces is cut as it is heard, and not copied with what is hidden', async () => {
  const edits: Edit[] = [
    [0, 1.5],
    [2.5, 4],
  ];
  const path = await inPieces('sound', edits, '-map', '0:a');
  const audio_url = 'https://media.example.com/sound.m4a';
  const part = await operate('cut', path, { audio_url, start: 0.5, duration: 2 });
  expectClicks(await readPulses(part.path), [0.5, 1.5]);
  const { code } = await failureOf(operate('remux', path, { audio_url, strip: 'all' }));
  expect(code).toBe('codec_unsupported');
});

test('a film that is shown later and ends earlier than its media is as long as it is shown', async () => {
  const plain = await inPieces('whole', [[0, 4]]);
  const path = join(scratch(), 'later.mp4');
  await writeFile(path, withEdits([[0, 2.5]], 0.5)(await readFile(plain)));
  const shown = Array.from({ length: 2.5 * RATE }, (_, index) => index);

  const all = await operate('transcode', path, {});
  expect(await readNumbers(all.path)).toEqual(shown);
  expect(all.duration).toBeCloseTo(2.5, 1);
  const end = await operate('cut', path, { start: 2, end: 9 });
  expect(await readNumbers(end.path)).toEqual(shown.slice(2 * RATE));
  const fast = await operate('speed', path, { rate: 2 });
  expect(fast.duration).toBeCloseTo(1.25, 1);
});

test('a remux that cannot keep what an edit list hides does not advise the same container', async () => {
  const path = await inPieces('ends early', [[0, 2.5]]);
  const { code, detail } = await failureOf(operate('remux', path, { format: 'mp4' }));
  expect([code, detail]).toEqual([
    'codec_unsupported',
    expect.stringMatching(/would show\. Use \/transcode\.$/),
  ]);
  const other = await failureOf(operate('remux', path, { format: 'mkv' }));
  expect(other.detail).toContain('Use `mp4` or `mov`');
});

test.each(sampled([0.08, 0.2, 0.5], 3))(
  'a film whose edit begins %d of a frame late is encoded without that frame',
  async (part) => {
    const plain = join(scratch(), 'short.mp4');
    const picture = ['-an', '-frames:v', '60', '-c:v', 'libx264', '-bf', '2', '-g', '12', '-crf', '12'];
    const args = ['-v', 'error', '-y', '-i', fixture('plain.mp4'), ...picture];
    await run(programs, 'ffmpeg', [...args, '-movie_timescale', '1000', plain]);
    const path = join(scratch(), `late-${part}.mp4`);
    await writeFile(path, withEdits([[part / RATE, 60 / RATE]])(await readFile(plain)));

    const all = await operate('transcode', path, { format: 'mp4' });
    expect(await readNumbers(all.path)).toEqual(Array.from({ length: 59 }, (_, index) => index + 1));
  },
);

test('An edit list that shows no picture is named', async () => {
  const path = join(scratch(), 'hidden.mp4');
  const plain = join(scratch(), 'shown.mp4');
  const picture = ['-an', '-frames:v', '30', '-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', plain];
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', fixture('plain.mp4'), ...picture]);
  const bytes = await readFile(plain);
  // Behind the size, the version and the number of edits: how long, from where.
  bytes.writeUInt32BE(90_000_000, bytes.indexOf('elst') + 16);
  await writeFile(path, bytes);
  const { code, detail } = await failureOf(operate('cut', path, { start: 0, end: 1 }));
  expect(code).toBe('source_damaged');
  expect(detail).toContain('edit list');
});

test.each(
  sampled(
    [
      ['at twice its speed', 0x20000, 'at 2 times its speed'],
      ['at half its speed', 0x8000, 'at 0.5 times its speed'],
      ['as one frame', 0, 'as one frame that stays'],
    ],
    3,
  ),
)('an edit list that shows a film %s, which players ignore, gives a warning', async (name, rate, asked) => {
  const file = await readFile(await inPieces('rated', [[0, 4]]));
  for (let at = file.indexOf('elst'); at >= 0; at = file.indexOf('elst', at + 1))
    file.writeInt32BE(rate, at + 20);
  await writeFile(join(scratch(), 'rated.mp4'), file);
  const attempts = await startAttempts(scratch());
  try {
    const warningsOf = async (source: string) => {
      const input = { video_url: attempts.media(source), start: 0, duration: 2 };
      const outcome = await attempts.run('cut', input, AbortSignal.timeout(60_000));
      if (outcome.type !== 'completed') throw new Error(`${name}: ${outcome.type}`);
      return outcome.result.warnings;
    };
    const [warning] = await warningsOf('rated.mp4');
    expect(warning?.code).toBe('source_edit_rate');
    expect(warning?.detail).toContain(`shows it ${asked}.`);
    expect(await warningsOf('plain.mp4')).toEqual([]);
  } finally {
    await attempts.close();
  }
});
