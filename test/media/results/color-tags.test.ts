import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { renderArguments } from '../../../transcoder/ffmpeg/arguments.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import type { Color, VideoEncoding } from '../../../transcoder/model/encoding.ts';
import type { Render } from '../../../transcoder/model/steps.ts';
import { programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

/** The tags that ffprobe prints, by the names of libavutil/pixdesc.c, but for ebu3213, which x264 does not write. */
const printed: Record<Exclude<keyof Color, 'range'>, string> = {
  space:
    'bt709 fcc bt470bg smpte170m smpte240m ycgco bt2020nc bt2020c smpte2085 chroma-derived-nc chroma-derived-c ictcp',
  transfer:
    'bt709 bt470m bt470bg smpte170m smpte240m linear log100 log316 iec61966-2-4 bt1361e iec61966-2-1 bt2020-10 bt2020-12 smpte2084 smpte428 arib-std-b67',
  primaries: 'bt709 bt470m bt470bg smpte170m smpte240m film bt2020 smpte428 smpte431 smpte432',
};
const black = join(scratch(), 'black.mkv');
beforeAll(() =>
  run(programs, 'ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'color=s=64x64:r=25:d=0.2', black]),
);
const untagged: Color = { space: null, transfer: null, primaries: null, range: null };
const encoding: VideoEncoding = {
  ...{ encoder: 'libx264', rate: { crf: 30, maxKbps: null }, pixelFormat: 'yuv420p', timeBase: '1/25' },
  ...{ keyframeInterval: 25, frameSeconds: 1 / 25, reorder: true, color: untagged, mastering: null },
};

const tags = Object.entries(printed).flatMap(([kind, names]) =>
  names.split(' ').map((name) => ({ kind: kind as keyof typeof printed, name })),
);

test.each(sampled(tags, 3))(
  'the encoder takes the color tag $kind=$name of a source, and writes it',
  async ({ kind, name }) => {
    const path = join(scratch(), `${kind}-${name}.mp4`);
    const color = { ...untagged, [kind]: name };
    const video = { from: '0:0', encode: { ...encoding, color } };
    const step: Render = {
      kind: 'render',
      inputs: [{ source: 0, seek: null }],
      chains: [],
      outputs: [{ file: path, container: 'mp4', video, audio: null }],
      ...{ seconds: null, lead: 0 },
    };
    const source = { path: black, format: 'matroska', presented: true } as const;
    await run(programs, 'ffmpeg', renderArguments(step, [source], { version: '7.1' }), {
      onProgress: () => {},
    });
    expect((await tagsOf(path))[kind]).toBe(name);
  },
);

test('a source with the gamma of PAL, as most MPEG-2 of Europe states it, is rendered', async () => {
  const path = join(scratch(), 'pal.ts');
  const pal = [
    '-c:v',
    'mpeg2video',
    '-color_trc',
    'gamma28',
    '-color_primaries',
    'bt470bg',
    '-colorspace',
    'bt470bg',
  ];
  await run(programs, 'ffmpeg', ['-v', 'error', '-i', black, ...pal, path]);
  const done = await operate('transcode', path, {});
  expect(await tagsOf(done.path)).toEqual({ transfer: 'bt470bg', primaries: 'bt470bg', space: 'bt470bg' });
});

async function tagsOf(path: string): Promise<Record<string, string>> {
  const entries = ['-show_entries', 'stream=color_space,color_transfer,color_primaries', '-of', 'json'];
  const { stdout } = await run(programs, 'ffprobe', [
    '-v',
    'error',
    '-select_streams',
    'v',
    ...entries,
    path,
  ]);
  const {
    color_space: space,
    color_transfer: transfer,
    color_primaries: primaries,
  } = JSON.parse(stdout).streams[0];
  return { space, transfer, primaries };
}
