import { describe, expect, test } from 'vitest';
import { type OperationName, operations } from '../../../schema/operations/index.ts';
import type { MediaProbe } from '../../../transcoder/model/source/media-probe.ts';
import { Packets } from '../../../transcoder/model/source/packets.ts';
import type { VideoStream } from '../../../transcoder/model/source/video-stream.ts';
import { plannerOf } from '../../../transcoder/operations/index.ts';
import { planOf } from './plan-lines.ts';
import { like, means, source } from './sources.ts';

describe('what has to be found out first', () => {
  test.each<[string, OperationName, Record<string, unknown>, MediaProbe, unknown[]]>([
    ['nothing for a cut at another quality', 'cut', { start: 4, duration: 2, quality: 'low' }, source, []],
    [
      'the packets around ranges that may be copied, each once',
      'cut',
      {
        segments: [
          { start: 8, end: 9 },
          { start: 4, end: 5 },
          { start: 4.5, end: 6 },
        ],
      },
      source,
      [
        {
          ...{ kind: 'survey', source: 0 },
          ranges: [
            [53_248, 100_352],
            [114_688, 146_432],
          ],
        },
      ],
    ],
    [
      'the packets around a cut where the rate may vary',
      'cut',
      { start: 4, duration: 2, quality: 'low' },
      like({ pace: 'unknown' }),
      [{ kind: 'packets', source: 0, intervals: [[3, 7]] }],
    ],
    [
      'the packets of a keyframe cut',
      'cut',
      { start: 0.5, end: 10, mode: 'keyframe' },
      source,
      [
        { kind: 'survey', source: 0, ranges: [[-512, 161_792]] },
        { kind: 'packets', source: 0, intervals: [[null, null]] },
      ],
    ],
    [
      'the loudness where it is to be changed',
      'transcode',
      { normalize_lufs: -16 },
      source,
      [{ kind: 'loudness', source: 0, stream: 1 }],
    ],
    [
      'the moment of the last frame',
      'frame_last',
      { epsilon: 2 },
      source,
      [
        {
          ...{ kind: 'pictures', source: 0, moments: [{ beforeEnd: 2 }], skipBlack: false },
          drawing: {
            filters: [
              {
                name: 'scale',
                options: { in_color_matrix: 'bt709', out_color_matrix: 'bt601', out_range: 'pc' },
              },
              { name: 'format', options: { pix_fmts: 'yuvj420p' } },
            ],
            ...{ format: 'jpeg', quality: 90, files: ['picture.jpg'] },
          },
        },
      ],
    ],
    [
      'the middle of each share, as large as a sheet can be',
      'frame',
      { count: 2, skip_black: true, sheet: true },
      source,
      [
        {
          ...{ kind: 'pictures', source: 0, moments: [{ at: 2.5 }, { at: 7.5 }], skipBlack: true },
          drawing: {
            filters: [
              { name: 'scale', options: { w: 960, h: 540, flags: 'bicubic' } },
              { name: 'setsar', options: { sar: 1 } },
              {
                name: 'scale',
                options: { in_color_matrix: 'bt709', flags: 'bicubic+accurate_rnd+full_chroma_int' },
              },
              { name: 'format', options: { pix_fmts: 'rgb24' } },
            ],
            ...{ format: 'pam', quality: 90, files: ['frame_001.pam', 'frame_002.pam'] },
          },
        },
      ],
    ],
  ])('%s', (_, name, request, probe, expected) => {
    const planner = plannerOf(name);
    const url = 'https://media.example.com/a.mp4';
    const input: Record<string, unknown> = operations[name].input.parse({ video_url: url, ...request });
    expect(planner.analyses(input, [probe], means)).toEqual(expected);
  });
});

describe('how the picture is encoded', () => {
  test.each<[string, Record<string, unknown>, Partial<VideoStream>, Record<string, unknown>]>([
    [
      'at the bitrate of the source',
      {},
      {},
      { encoder: 'libx264', rate: { kbps: 2000, qmax: 42 }, pixelFormat: 'yuv420p', timeBase: '1/15360' },
    ],
    [
      'no less where the codec is better',
      { codec: 'hevc' },
      {},
      { encoder: 'libx265', rate: { kbps: 2000, qmax: 42 } },
    ],
    [
      'at more where the codec needs more',
      { codec: 'h264' },
      { codec: 'vp9' },
      { encoder: 'libx264', rate: { kbps: 2667, qmax: 42 } },
    ],
    ['in proportion to the pixels', { width: 640 }, {}, { rate: { kbps: 500, qmax: 42 } }],
    ['at no more for more pixels', { width: 1920 }, {}, { rate: { kbps: 2000, qmax: 42 } }],
    [
      'at no more than what a codec of studios spends',
      {},
      { codec: 'prores', kbps: 120_000 },
      { rate: { crf: 18, maxKbps: 120_000 } },
    ],
    [
      'at no more than ffmpeg takes',
      {},
      { codec: 'prores', kbps: 1_856_780 },
      { rate: { crf: 18, maxKbps: 1_000_000 } },
    ],
    [
      'at no more than SVT-AV1 takes',
      { codec: 'av1' },
      { codec: 'h264', kbps: 150_000 },
      { encoder: 'libsvtav1', rate: { kbps: 100_000 } },
    ],
    ['by a named quality', { quality: 'low' }, {}, { rate: { crf: 29, maxKbps: null } }],
    [
      'by crf, within the scale of the codec',
      { quality: { crf: 60 } },
      {},
      { rate: { crf: 51, maxKbps: null } },
    ],
    [
      'as coarse as the source where that is starved of bits',
      {},
      { kbps: 150 },
      { rate: { kbps: 150, qmax: null } },
    ],
    ['by bitrate', { quality: { video_bitrate_kbps: 900 } }, {}, { rate: { kbps: 900, qmax: null } }],
    [
      'as good as it gets where the bitrate is unknown',
      {},
      { kbps: null },
      { rate: { crf: 18, maxKbps: null } },
    ],
    ['with the codec of the source', {}, { codec: 'vp9' }, { encoder: 'libvpx-vp9' }],
    [
      'with h264 for what browsers do not play',
      {},
      { codec: 'prores', bitDepth: 10 },
      { encoder: 'libx264', pixelFormat: 'yuv420p' },
    ],
    [
      'with 10 bit where the source has them',
      {},
      { bitDepth: 10 },
      { encoder: 'libx264', pixelFormat: 'yuv420p10le' },
    ],
    [
      'in the colors of the source',
      {},
      {
        codec: 'hevc',
        bitDepth: 10,
        hdr: true,
        color: { space: 'bt2020nc', transfer: 'smpte2084', primaries: 'bt2020', range: 'tv' },
      },
      {
        encoder: 'libx265',
        color: { space: 'bt2020nc', transfer: 'smpte2084', primaries: 'bt2020', range: 'tv' },
      },
    ],
    [
      'in BT.709 where HDR does not fit',
      { codec: 'h264' },
      { codec: 'hevc', bitDepth: 10, hdr: true },
      { color: { space: 'bt709', transfer: 'bt709', primaries: 'bt709', range: 'tv' } },
    ],
  ])('%s', (_, request, changes, expected) => {
    const { plan } = planOf('transcode', request, like(changes));
    const [step] = plan.steps;
    const output = step?.kind === 'render' ? step.outputs[0] : undefined;
    expect(output && 'video' in output ? output.video?.encode : undefined).toMatchObject(expected);
  });
});

describe('what is promised', () => {
  test('frames, length and time map of a cut', () => {
    const { plan } = planOf('cut', { start: 4, end: 12 });
    expect(plan).toMatchObject({
      duration: 6,
      width: 1280,
      height: 720,
      fps: 30,
      data: { copied_seconds: 0, rendered_seconds: 6 },
      time_map: [{ source: 0, in: [4, 10], out: [0, 6] }],
      warnings: [
        {
          code: 'range_clamped',
          detail: 'end: the requested end is 12 s, but the source ends at 10 s. The cut ends there.',
        },
      ],
      expect: {
        media: [
          { video: { codec: 'h264', frames: 180 }, audio: { codec: 'aac' }, duration: 6, endsTogether: true },
        ],
      },
    });
  });

  test('a keyframe cut tells what it really keeps', () => {
    const packets = [0, 0.5, 1, 1.5, 2, 2.5].map((pts) => ({
      pts,
      dts: pts,
      duration: 0.5,
      key: pts % 1 === 0,
    }));
    const { plan } = planOf('cut', { start: 1.5, end: 1.9, mode: 'keyframe' }, like({ frameDuration: 0.5 }), {
      packets: Packets.of(packets),
    });
    expect(plan.time_map).toEqual([{ source: 0, in: [1, 2], out: [0, 1] }]);
    expect(plan.data).toEqual({
      ...{ copied_seconds: 1, rendered_seconds: 0 },
      spans: [{ out: [0, 1], frames: 2, copied: true, rendered_because: null }],
    });
  });

  test('a keyframe cut of long frames has what was asked for, from the keyframe before it to the end of a frame', () => {
    const packets = [0, 5, 10, 15].map((pts) => ({ pts, dts: pts, duration: 5, key: true }));
    const slides = { ...like({ frameDuration: 5, duration: 20 }), duration: 20 };
    const inOf = (start: number, end: number) =>
      planOf('cut', { start, end, mode: 'keyframe' }, slides, { packets: Packets.of(packets) }).plan
        .time_map[0]?.in;
    expect(inOf(0, 12)).toEqual([0, 15]);
    expect(inOf(3, 12)).toEqual([0, 15]);
    expect(inOf(3, 4.5)).toEqual([0, 5]);
    expect(inOf(5, 10)).toEqual([5, 10]);
    expect(inOf(16, 20)).toEqual([15, 20]);
  });

  test('a keyframe whose followers are shown before it is none', () => {
    const packets = [0, 2, 1, 4, 3, 5].map((pts) => ({
      pts,
      dts: null,
      duration: 1,
      key: pts === 0 || pts === 4,
    }));
    const { plan } = planOf('cut', { start: 4.5, end: 5, mode: 'keyframe' }, like({ frameDuration: 1 }), {
      packets: Packets.of(packets),
    });
    expect(plan.time_map[0]?.in[0]).toBe(0);
  });
});

test('planning is pure: the same request gives the same plan', () => {
  const [one, two] = [1, 2].map(() => planOf('crop', { aspect_ratio: '1:1', fill: 'blur' }).plan);
  expect(one).toEqual(two);
  expect(structuredClone(one)).toEqual(one);
});
