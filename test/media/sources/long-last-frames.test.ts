import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, readTimes } from '../../fixtures/barcode.ts';
import { ebml, elementsOf } from '../../fixtures/ebml.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { VP8 } from '../../fixtures/vp8.ts';
import { sampled } from '../../sampled.ts';
import { operate, operateOn } from '../operate.ts';

let directory: string;
let source: string;
let numbers: number[];

/** When a recording of a screen ends on which less happens in the end: 0.8 s of 30 frames a second, then one a second. */
const END = 8.8 + 1 / 30;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-long-last-'));
  source = join(directory, 'source.mp4');
  const slow = "trim=end_frame=33,setpts='if(lt(N,24),N/30,0.8+N-24)/TB'";
  const reordered = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '3', '-b_strategy', '0', '-g', '60'];
  const args = ['-an', '-vf', slow, '-fps_mode', 'vfr', ...reordered, source];
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', fixture('plain.mp4'), ...args]);
  numbers = await readNumbers(source);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test('a recording whose last frames are shown for long lasts until the end of the last one', async () => {
  const { data } = await operate('probe', source, {});
  expect(data.duration).toBeCloseTo(END, 2);
  expect(data.keyframe_interval).toMatchObject({ count: 1, max: expect.closeTo(END, 2) });
});

test('its last frame can be had at its time', async () => {
  const made = await operate('frame', source, { timestamps: [END - 0.01], format: 'png' });
  expect(await readNumbers(made.path)).toEqual(numbers.slice(-1));
});

test('it is rendered to its end', async () => {
  const made = await operate('crop', source, { x: 0, y: 0, width: 64, height: 64 });
  expect(made.duration).toBeCloseTo(END, 1);
  expect(await readTimes(made.path)).toHaveLength(numbers.length);
});

test('it is merged to its end, and no longer', async () => {
  const urls = ['https://a.example/1', 'https://a.example/2'];
  const made = await operateOn('merge_urls', [source, source], { video_urls: urls });
  expect(Math.abs((made.duration ?? 0) - 2 * END)).toBeLessThan(0.1);
});

describe('a recording of a screen that states that its last frame is shown for a second', () => {
  const STOPPED = 4;
  let stopped: string;

  beforeAll(async () => {
    stopped = join(directory, 'stopped.mp4');
    const slow = "trim=end_frame=34,setpts='(N/30+gte(N,1)*0.6667+gte(N,20)*0.7+gte(N,33)*0.5333)/TB'";
    const last = 'setts=duration=if(eq(NEXT_PTS\\,NOPTS)\\,1/TB\\,DURATION)';
    const coded = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '0', '-video_track_timescale', '30000'];
    const args = [
      '-an',
      '-vf',
      slow,
      '-fps_mode',
      'vfr',
      '-enc_time_base',
      '1:30000',
      ...coded,
      '-bsf:v',
      last,
    ];
    const made = [...args, stopped];
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', fixture('plain.mp4'), ...made]);
  });

  test.each<['crop' | 'transcode' | 'speed' | 'cut', Record<string, unknown>]>(
    sampled(
      [
        ['crop', { width: 64, height: 64 }],
        ['crop', { width: 64, height: 64, format: 'mkv' }],
        ['transcode', { height: 90, codec: 'hevc' }],
        ['speed', { flip: 'horizontal', format: 'mkv' }],
        ['speed', { flip: 'horizontal', format: 'webm' }],
        ['cut', { segments: [{ start: 0, end: STOPPED }], format: 'webm' }],
      ],
      3,
    ),
  )('is rendered to its end by %s %j', async (operation, request) => {
    const made = await operate(operation, stopped, request);
    expect(made.duration).toBeCloseTo(STOPPED, 1);
    const times = await readTimes(made.path);
    expect(times).toHaveLength(34);
    expect(times[33]).toBeCloseTo(STOPPED - 1, 1);
  });

  test.each(sampled(['mkv', 'webm'], 3))('and is played backwards in %s', async (format) => {
    const made = await operate('speed', stopped, { reverse: true, format });
    expect(made.duration).toBeCloseTo(STOPPED, 1);
    const times = await readTimes(made.path);
    expect([times[1], times[33]]).toEqual([expect.closeTo(1, 1), expect.closeTo(STOPPED - 0.7, 1)]);
  });

  test('and at other rates in parts', async () => {
    const ranges = [{ start: 3, end: STOPPED, rate: 0.5 }];
    const made = await operate('speed', stopped, { ranges, format: 'webm' });
    expect(made.duration).toBeCloseTo(STOPPED + 1, 1);
  });
});

const id = {
  head: 0x1a45dfa3,
  segment: 0x18538067,
  info: 0x1549a966,
  tracks: 0x1654ae6b,
  cluster: 0x1f43b675,
};
const block = { group: 0xa0, grouped: 0xa1, duration: 0x9b, reference: 0xfb };

/** The same file without an index, its last block in a group that states this duration in milliseconds (RFC 9559, 5.1.3.5). */
function lastLasting(file: Buffer, duration: number): Buffer {
  const parts = elementsOf(file);
  const segment = elementsOf(parts.find((part) => part.id === id.segment)?.content ?? Buffer.alloc(0));
  const last = segment.findLast((part) => part.id === id.cluster);
  const kept = segment.filter((part) => [id.info, id.tracks, id.cluster].includes(part.id));
  const grouped = (content: Buffer) =>
    ebml(
      block.group,
      ebml(block.grouped, content),
      ebml(block.duration, Buffer.from([duration >> 8, duration & 0xff])),
      ebml(block.reference, Buffer.from([0xff])),
    );
  const clusterOf = (content: Buffer) => {
    const all = elementsOf(content);
    return ebml(
      id.cluster,
      ...all.map((one, at) => (at === all.length - 1 ? grouped(one.content) : ebml(one.id, one.content))),
    );
  };
  return Buffer.concat([
    ...parts.filter((part) => part.id === id.head).map((part) => ebml(part.id, part.content)),
    ebml(
      id.segment,
      ...kept.map((part) => (part === last ? clusterOf(part.content) : ebml(part.id, part.content))),
    ),
  ]);
}

describe.each(sampled(['mkv', 'webm'], 3))(
  '%s of an even rate whose last block states a long duration',
  (format) => {
    const FRAMES = 180;
    const LASTS = 0.5;
    const end = (FRAMES - 1) / 30 + LASTS;
    let recorded: string;

    beforeAll(async () => {
      recorded = join(directory, `recorded.${format}`);
      const coded =
        format === 'webm'
          ? [...VP8, '-deadline', 'realtime', '-b:v', '1M']
          : ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '0'];
      const args = ['-v', 'error', '-nostdin', '-y', '-i', fixture('no-sound.mp4'), ...coded];
      await run(programs, 'ffmpeg', [...args, '-bitexact', recorded]);
      await writeFile(recorded, lastLasting(await readFile(recorded), 1000 * LASTS));
    });

    test.each<['crop' | 'transcode' | 'speed' | 'cut', Record<string, unknown>, number]>(
      sampled(
        [
          ['transcode', {}, end],
          ['crop', { width: 64, height: 64 }, end],
          ['cut', { start: 3, end: 6.4 }, 3.4],
          ['cut', { start: 1, end: 4 }, 3],
          ['speed', { rate: 2 }, end / 2],
          ['speed', { reverse: true }, end],
        ],
        3,
      ),
    )('is rendered to its end by %s %j', async (operation, request, wanted) => {
      const made = await operate(operation, recorded, request);
      expect(made.duration).toBeCloseTo(wanted, 1);
    });
  },
);
