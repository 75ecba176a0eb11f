import { writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, parse } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OperationName } from '../../../schema/operations/index.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { probeMedia } from '../../../transcoder/media/probe/probe-media.ts';
import { identityProblem } from '../../../transcoder/media/verify/identity.ts';
import { demuxerOfFile } from '../../../transcoder/source/sniff.ts';
import { filteredPictures } from '../../fixtures/decoded.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { ctx, type Done, operateOn } from '../operate.ts';
import { scratch } from '../scratch.ts';

const url = (name: string) => `https://media.example.com/${name}`;

interface Case {
  operation: OperationName;
  files: string[];
  request: Record<string, unknown>;
  /** The first frame of the result behind a joint, or behind its middle. */
  joint: number;
  /** Whether it has none, and one source alone. */
  whole?: boolean;
}

/** Two frames of the fixture in each, one in either field. */
const interlaced = join(scratch(), 'woven.mp4');
await run(programs, 'ffmpeg', [
  ...[
    '-v',
    'error',
    '-nostdin',
    '-y',
    '-i',
    fixture('plain.mp4'),
    '-vf',
    'tinterlace=interleave_top,setfield=tff',
  ],
  ...[
    '-c:v',
    'libx264',
    '-g',
    '15',
    '-flags',
    '+ilme+ildct',
    '-x264-params',
    'tff=1',
    '-c:a',
    'copy',
    interlaced,
  ],
]);

const cases: Record<string, Case> = {
  'a cut with copied packets': {
    ...{ operation: 'cut', files: ['plain.mp4'], joint: 45 },
    request: {
      video_url: url('a'),
      segments: [
        { start: 0.5, end: 2 },
        { start: 3.1, end: 4.8 },
      ],
    },
  },
  'an interlaced cut with copied packets': {
    ...{ operation: 'cut', files: [interlaced], joint: 21 },
    request: {
      video_url: url('a'),
      segments: [
        { start: 0.6, end: 2 },
        { start: 3.2, end: 4.8 },
      ],
    },
  },
  'a rendered cut': {
    ...{ operation: 'cut', files: ['plain.mp4'], joint: 45 },
    request: {
      ...{ video_url: url('a'), quality: 'high' },
      segments: [
        { start: 0.5, end: 2 },
        { start: 3.1, end: 4.8 },
      ],
    },
  },
  'a crop': {
    ...{ operation: 'crop', files: ['plain.mp4'], joint: 90, whole: true },
    request: { video_url: url('a'), x: 80, y: 60, width: 200, height: 100 },
  },
  'a smaller picture': {
    ...{ operation: 'transcode', files: ['plain.mp4'], joint: 90, whole: true },
    request: { video_url: url('a'), width: 200 },
  },
  'a merge': {
    ...{ operation: 'merge_urls', files: ['plain.mp4', 'no-sound.mp4'], joint: 60 },
    request: {
      urls: [
        { url: url('a'), start: 1, end: 3 },
        { url: url('b'), start: 0, end: 2 },
      ],
      transition: 'none',
    },
  },
  'silences cut out': {
    ...{ operation: 'silence_process', files: ['plain.mp4'], joint: 45 },
    request: {
      video_url: url('a'),
      segments: [
        { start: 0, end: 1.5, action: 'keep' },
        { start: 1.5, end: 3, action: 'silent' },
        { start: 3, end: 6, action: 'keep' },
      ],
    },
  },
  'a redub': {
    ...{ operation: 'redub', files: ['plain.mp4', 'sound.wav'], joint: 90, whole: true },
    request: { video_url: url('a'), audio_url: url('b') },
  },
  'captions drawn': {
    ...{ operation: 'captions_auto', files: ['plain.mp4'], joint: 90, whole: true },
    request: {
      video_url: url('a'),
      captions: '1\n00:00:00,300 --> 00:00:01,000\nHello\n\n2\n00:00:04,000 --> 00:00:05,000\nWorld\n',
    },
  },
};

/** Which frame of the result stands in each place, of so many; `joint` is the first behind a joint. */
type Order = (frames: number, joint: number) => number[];
const each = (frames: number) => Array.from({ length: frames }, (_, at) => at);
const faults: Record<string, { order?: Order; filter?: string }> = {
  'all a frame late': { order: (frames) => each(frames).map((at) => Math.max(0, at - 1)) },
  'all a frame early': { order: (frames) => each(frames).map((at) => Math.min(frames - 1, at + 1)) },
  'frozen for ten frames': {
    order: (frames) => {
      const from = Math.round(frames * 0.28);
      return each(frames).map((at) => (at > from && at <= from + 10 ? from : at));
    },
  },
  'halves swapped': {
    order: (frames, joint) => [...each(frames).slice(joint), ...each(frames).slice(0, joint)],
  },
  'joint a frame late': { order: (frames, joint) => each(frames).map((at) => (at === joint ? at - 1 : at)) },
  'joint a frame early': {
    order: (frames, joint) => each(frames).map((at) => (at === joint - 1 ? at + 1 : at)),
  },
  'last frame missing': { order: (frames) => each(frames - 1) },
  'first frame missing': { order: (frames) => each(frames).slice(1) },
  'one source in place of the other': {
    order: (frames, joint) => each(frames).map((at) => (at < joint ? Math.min(frames - 1, at + joint) : at)),
  },
  mirrored: { filter: 'hflip' },
  'cropped elsewhere': { filter: 'crop=iw-16:ih-8:16:8,scale=iw+16:ih+8' },
};

interface Result {
  done: Done;
  sources: Parameters<typeof identityProblem>[3];
}

async function make({ operation, files, request }: Case): Promise<Result> {
  const done = await operateOn(operation, files, request);
  const sources = await Promise.all(
    files.map(async (name) => {
      const path = isAbsolute(name) ? name : fixture(name);
      const format = await demuxerOfFile(path);
      if (!format) throw new Error(`${name} is not media`);
      const source = await completeSource({ path, format });
      return { ...source, probe: await probeMedia(ctx, source) };
    }),
  );
  return { done, sources };
}

const picturesOf = (path: string, filter = 'null') => filteredPictures(path, `${filter},format=yuv420p`);

/** Paths of spoiled files by what is wrong with them. */
type Files = ReadonlyMap<string, string>;

const problemOf = ({ done, sources }: Result, path = done.path) => {
  const [expected] = done.expect.media;
  if (!expected) throw new Error('nothing is expected');
  return identityProblem(ctx, expected, { path, time_map: done.time_map }, sources, undefined);
};

/**
 * The same file once for each of these faults, with other pictures in it, encoded as ours are. One process makes them all: its start
 * takes longer than a file.
 */
async function spoiled({ done }: Result, names: readonly string[], joint: number): Promise<Files> {
  const [width = 0, height = 0] = [done.expect.media[0]?.video?.width, done.expect.media[0]?.video?.height];
  const at = (name: string, ending: string) =>
    join(dirname(done.path), `${name.replaceAll(' ', '-')}.${ending}`);
  const size = (width * height * 3) / 2;
  const pictures = await picturesOf(done.path);
  for (const name of names) {
    const { filter, order } = faults[name] ?? {};
    const bytes = filter ? await picturesOf(done.path, filter) : pictures;
    const count = bytes.length / size;
    const frames = (order?.(count, joint) ?? each(count)).map((frame) =>
      bytes.subarray(frame * size, (frame + 1) * size),
    );
    await writeFile(at(name, 'yuv'), Buffer.concat(frames));
  }
  const form = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-video_size', `${width}x${height}`];
  const encoder = ['-c:v', 'libx264', '-preset', 'veryfast'];
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y'],
    ...names.flatMap((name) => [...form, '-framerate', `${done.fps ?? 30}`, '-i', at(name, 'yuv')]),
    ...names.flatMap((name, input) => ['-map', `${input}`, ...encoder, at(name, 'mp4')]),
  ]);
  return new Map(names.map((name) => [name, at(name, 'mp4')]));
}

/** How its sound is moved or taken from elsewhere, as filters. */
const soundFaults: Record<string, string> = {
  'sound 20 ms late': 'adelay=20:all=1',
  'sound 20 ms early': 'atrim=start=0.02,asetpts=PTS-STARTPTS',
  'sound 200 ms late': 'adelay=200:all=1',
};

/** The same file once for each of these faults of its sound. */
async function outOfStep({ done }: Result, ...output: string[]): Promise<Files> {
  const { dir, name, ext } = parse(done.path);
  const at = (fault: string) => join(dir, `${name}-${fault.replaceAll(' ', '-')}${ext}`);
  const outputs = Object.entries(soundFaults).flatMap(([fault, filter]) => [
    ...output,
    '-af',
    filter,
    at(fault),
  ]);
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', done.path, ...outputs]);
  return new Map(Object.keys(soundFaults).map((fault) => [fault, at(fault)]));
}

describe.each(sampled(Object.entries(cases), 4))('of %s', (_, one) => {
  const made = make(one);

  test('a clean result is proven', async () => {
    expect(await problemOf(await made)).toBeNull();
  }, 60_000);

  const planted = Object.keys(faults).filter((name) => !(one.whole && /^(joint|one source)/.test(name)));
  let files: Promise<Files> | undefined;
  test.each(sampled(planted, 3))(
    '%s is refused',
    async (name) => {
      const result = await made;
      files ??= spoiled(result, planted, one.joint);
      const problem = await problemOf(result, (await files).get(name));
      expect(problem).toMatch(/shows|show|lacks|mirrored/);
      if (process.env.TELL_FAULTS) console.log(`| ${_} | ${name} | ${problem} |`);
    },
    60_000,
  );

  let sounds: Promise<Files> | undefined;
  test.each(sampled(one.operation === 'redub' ? [] : Object.keys(soundFaults), 3))(
    '%s is refused',
    async (name) => {
      const result = await made;
      sounds ??= outOfStep(result, '-c:v', 'copy');
      const problem = await problemOf(result, (await sounds).get(name));
      expect(problem).toMatch(/the audio of the output is \d+ ms (late|early)/);
      if (process.env.TELL_FAULTS) console.log(`| ${_} | ${name} | ${problem} |`);
    },
    60_000,
  );
});

const parts = [
  { start: 0.513, end: 2 },
  { start: 3.117, end: 4.8 },
];
const sounds: [string, OperationName, Record<string, unknown>][] = [
  ...['mp4', 'webm', 'mkv'].map((format): (typeof sounds)[number] => [
    ...([`a cut of sound, ${format}`, 'cut'] as const),
    { audio_url: url('a'), start: 1.013, end: 4.4, format },
  ]),
  ...['mp3', 'm4a', 'wav', 'flac', 'ogg'].map((format): (typeof sounds)[number] => [
    ...([`sound taken out of a video, ${format}`, 'transcode'] as const),
    { video_url: url('a'), audio_only: true, format },
  ]),
  ['a cut list of sound', 'cut', { audio_url: url('a'), segments: parts }],
  [
    ...(['sound without its silences', 'silence_process'] as const),
    { audio_url: url('a'), segments: parts.map((part) => ({ ...part, action: 'keep' })) },
  ],
];

describe.each(sampled(sounds, 4))('of %s', (_, operation, request) => {
  const made = make({ operation, files: ['plain.mp4'], request, joint: 0 });

  test('a clean result is proven', async () => {
    expect(await problemOf(await made)).toBeNull();
  }, 60_000);

  let files: Promise<Files> | undefined;
  test.each(sampled(Object.keys(soundFaults), 3))(
    '%s is refused',
    async (name) => {
      const result = await made;
      files ??= outOfStep(result);
      expect(await problemOf(result, (await files).get(name))).toMatch(
        /the audio of the output is \d+ ms (late|early)/,
      );
    },
    60_000,
  );
});
