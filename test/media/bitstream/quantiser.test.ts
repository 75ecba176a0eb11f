import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildAvcc } from '../../../transcoder/bitstream/avcc.ts';
import { codecs } from '../../../transcoder/bitstream/codecs.ts';
import { isSlice } from '../../../transcoder/bitstream/h264-slice.ts';
import { hevcType } from '../../../transcoder/bitstream/hevc-sets.ts';
import { isHevcSlice } from '../../../transcoder/bitstream/hevc-slice.ts';
import { parseHevcSps } from '../../../transcoder/bitstream/hevc-sps.ts';
import { buildHvcc } from '../../../transcoder/bitstream/hvcc.ts';
import { joinLengths, splitStartCodes } from '../../../transcoder/bitstream/nal.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';

/** The quantisers that are read of pictures, against the encoders' settings and ffmpeg's own reading of slice headers. */

const directory = mkdtempSync(join(tmpdir(), 'spool-quantiser-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

type Kind = 'h264' | 'hevc';
const libraries = { h264: 'libx264', hevc: 'libx265' };

async function encode(codec: Kind, params: string, more: string[] = []): Promise<string> {
  const path = join(directory, `stream.${codec}`);
  const quiet = codec === 'hevc' ? 'log-level=none:' : '';
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-i', fixture('plain.mp4'), '-t', '2', '-an', ...more],
    ...['-c:v', libraries[codec], '-preset', 'veryfast'],
    ...[codec === 'h264' ? '-x264-params' : '-x265-params', `${quiet}${params}`, '-f', codec, path],
  ]);
  return path;
}

/** Every slice as a packet of its own, as our reader finds it. */
async function read(codec: Kind, path: string) {
  const nals = splitStartCodes(await readFile(path));
  const slices = nals.filter(codec === 'h264' ? isSlice : isHevcSlice);
  const coded = codecs[codec].coded({ extradata: configurations[codec](nals), tag: null });
  if ('unfit' in coded) throw new Error(coded.unfit);
  return slices.map((nal) => coded.picture(joinLengths([nal], 4)));
}

const configurations = {
  h264: (nals: readonly Uint8Array[]) => {
    const sets = (type: number) => nals.filter((nal) => ((nal[0] ?? 0) & 31) === type).slice(0, 1);
    const [profile = 0, compatibility = 0, level = 0] = sets(7)[0]?.subarray(1) ?? [];
    const extension = Uint8Array.of(0xfd, 0xf8, 0xf8, 0);
    return buildAvcc({ profile, compatibility, level, lengthSize: 4, sps: sets(7), pps: sets(8), extension });
  },
  hevc: (nals: readonly Uint8Array[]) => {
    const sets = (type: number) => nals.filter((nal) => hevcType(nal) === type).slice(0, 1);
    const { general } = parseHevcSps(sets(33)[0] ?? new Uint8Array());
    const arrays = [32, 33, 34].map((type) => ({ complete: true, type, nals: sets(type) }));
    const fixed = { profileSpace: 0, format: new Uint8Array(8), layers: 0, lengthSize: 4 };
    return buildHvcc({ ...general, ...fixed, arrays });
  },
};

/** The quantiser of each slice, of what ffmpeg's filter `trace_headers` prints. */
function traced(path: string): number[] {
  const args = [
    '-v',
    'trace',
    '-nostdin',
    '-i',
    path,
    '-c',
    'copy',
    '-bsf:v',
    'trace_headers',
    '-f',
    'null',
    '-',
  ];
  const { stderr } = spawnSync('ffmpeg', args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  let initial = 26;
  return stderr.split('\n').flatMap((line) => {
    const [, name, value] = /(init_qp_minus26|slice_qp_delta)\s+\S+\s*=\s*(-?\d+)/.exec(line) ?? [];
    if (name === 'init_qp_minus26') initial = 26 + Number(value);
    return name === 'slice_qp_delta' ? [initial + Number(value)] : [];
  });
}

const streams: { codec: Kind; name: string; params: string; more?: string[] }[] = [
  { codec: 'h264', name: 'B-frames and weighted prediction', params: 'crf=27:bframes=4:ref=4:weightp=2' },
  { codec: 'h264', name: 'CAVLC in several slices', params: 'crf=20:cabac=0:slices=3' },
  { codec: 'h264', name: 'ten bits', params: 'crf=24', more: ['-pix_fmt', 'yuv420p10le'] },
  { codec: 'h264', name: 'an average bitrate', params: 'bitrate=200:vbv-maxrate=250:vbv-bufsize=250' },
  { codec: 'hevc', name: 'B-frames and weighted prediction', params: 'crf=27:bframes=4:ref=4:weightp=1' },
  { codec: 'hevc', name: 'a quantiser of its own in the PPS', params: 'crf=33:opt-qp-pps=1' },
  { codec: 'hevc', name: 'ten bits', params: 'crf=24', more: ['-pix_fmt', 'yuv420p10le'] },
  { codec: 'hevc', name: 'an average bitrate', params: 'bitrate=200:vbv-maxrate=250:vbv-bufsize=250' },
];

describe('the quantiser of a picture', () => {
  it.each(sampled(streams, 3))(
    'is what ffmpeg reads of its slices: $codec with $name',
    async ({ codec, params, more }) => {
      const path = await encode(codec, params, more);
      const ours = await read(codec, path);
      expect(ours.length).toBeGreaterThan(50);
      expect(ours.map((picture) => picture?.quantiser)).toEqual(traced(path));
    },
  );

  it.each(sampled(['h264', 'hevc'] as const, 3))(
    'is that of the encoder, by type of picture: %s',
    async (codec) => {
      const ours = await read(
        codec,
        await encode(codec, 'qp=30:bframes=1:keyint=20:ipratio=1.4142:pbratio=1.2599'),
      );
      const of = (type: string) =>
        new Set(ours.flatMap((one) => (one?.type === type ? [one.quantiser] : [])));
      expect([...of('I')]).toEqual([27]);
      expect([...of('P')]).toEqual([30]);
      expect([...of('B')]).toEqual([32]);
    },
  );
});
