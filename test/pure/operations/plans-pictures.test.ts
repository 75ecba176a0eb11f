import { describe, expect, test } from 'vitest';
import { type OperationName, operations } from '../../../schema/operations/index.ts';
import type { Facts } from '../../../transcoder/model/plan.ts';
import type { MediaProbe } from '../../../transcoder/model/source/media-probe.ts';
import { planners } from '../../../transcoder/operations/index.ts';
import { linesOf, planOf } from './plan-lines.ts';
import { like, means, source, stillLike } from './sources.ts';

describe('a request and a probe become exactly these steps', () => {
  test.each<[string, OperationName, Record<string, unknown>, MediaProbe, Facts, string[]]>([
    [
      'a crop by ratio',
      'crop',
      { aspect_ratio: '9:16', anchor: 'left' },
      like({ rotation: 0 }, { audio: null }),
      {},
      [
        'read 0 from the start',
        '[0:0]settb=expr=1/15360,setpts=expr=PTS-(0),setsar=sar=1,crop=w=406:h=720:x=0:y=0:exact=1[kept];[kept]null[v]',
        'write out.mp4 libx264 null',
      ],
    ],
    [
      'a crop that moves along a path is an expression of the time',
      'crop',
      {
        aspect_ratio: '9:16',
        path: [
          { time: 0, x: 0, y: 0 },
          { time: 2, x: 100, y: 0 },
          { time: 5, x: 874, y: 0, ease: 'jump' },
        ],
      },
      like({ rotation: 0 }, { audio: null }),
      {},
      [
        'read 0 from the start',
        '[0:0]settb=expr=1/15360,setpts=expr=PTS-(0),setsar=sar=1,crop=w=406:h=720:x=min(874\\,max(0\\,2*round((if(lt(t\\,2)\\,if(lt(t\\,0)\\,0\\,st(0\\,t-0)\\;0+ld(0)*((0e+0)+ld(0)*ld(0)*((1.25e+2)+ld(0)*((-9.375e+1)+ld(0)*(1.875e+1)))))\\,if(lt(t\\,5)\\,100\\,874)))/2))):y=0:exact=1[kept];[kept]null[v]',
        'write out.mp4 libx264 null',
      ],
    ],
    [
      'a crop that follows a face stands with it and jumps at a cut',
      'crop',
      { aspect_ratio: '9:16', follow: 'subject' },
      like({ rotation: 0 }, { audio: null }),
      {
        subject: {
          scenes: [0, 5],
          sightings: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((time) => ({
            time,
            faces: [{ x: time < 5 ? 0.25 : 0.5, y: 0.4, width: 0.1, height: 0.2, score: 0.9 }],
            salient: null,
          })),
        },
      },
      [
        'read 0 from the start',
        '[0:0]settb=expr=1/15360,setpts=expr=PTS-(0),setsar=sar=1,crop=w=406:h=720:x=min(874\\,max(0\\,2*round((if(lt(t\\,5)\\,117\\,437))/2))):y=0:exact=1[kept];[kept]null[v]',
        'write out.mp4 libx264 null',
      ],
    ],
    [
      'a pad of wide pixels',
      'crop',
      { aspect_ratio: '1:1', fill: 'pad', background: '#202020', output_width: 720 },
      like({ width: 960, sar: 4 / 3 }, { audio: null }),
      {},
      [
        'read 0 from the start',
        '[0:0]settb=expr=1/15360,setpts=expr=PTS-(0),scale=w=1280:h=720:flags=bicubic,setsar=sar=1[kept];[kept]scale=w=720:h=406:flags=bicubic,setsar=sar=1,pad=w=720:h=720:x=0:y=156:color=0x202020[v]',
        'write out.mp4 libx264 null',
      ],
    ],
    [
      'the last frame as jpeg',
      'frame_last',
      { width: 640 },
      source,
      { pictures: [{ pts: 9.966667, seek: 8, drawn: false }] },
      [
        'read 0 from 8',
        '[0:0]settb=expr=1/15360,trim=start_pts=153057,trim=end_frame=1,setpts=expr=PTS-STARTPTS,scale=w=640:h=360:flags=bicubic,setsar=sar=1,scale=in_color_matrix=bt709:out_color_matrix=bt601:out_range=pc,format=pix_fmts=yuvj420p[p]',
        'write picture.jpg',
      ],
    ],
    [
      'frames of one group of pictures are taken in one run',
      'frame',
      { timestamps: [5, 1, 1.5], format: 'png' },
      source,
      {
        pictures: [
          { pts: 5, seek: 4, drawn: false },
          { pts: 1, seek: null, drawn: false },
          { pts: 1.5, seek: null, drawn: false },
        ],
      },
      [
        'read 0 from the start',
        '[0:0]split=outputs=2[s1][s2];[s1]settb=expr=1/15360,trim=start_pts=15329,trim=end_frame=1,setpts=expr=PTS-STARTPTS,scale=in_color_matrix=bt709:flags=bicubic+accurate_rnd+full_chroma_int,format=pix_fmts=rgb24[p1];[s2]settb=expr=1/15360,trim=start_pts=23009,trim=end_frame=1,setpts=expr=PTS-STARTPTS,scale=in_color_matrix=bt709:flags=bicubic+accurate_rnd+full_chroma_int,format=pix_fmts=rgb24[p2]',
        'write frame_002.png',
        'write frame_003.png',
        'read 0 from 4',
        '[0:0]split=outputs=1[s0];[s0]settb=expr=1/15360,trim=start_pts=76769,trim=end_frame=1,setpts=expr=PTS-STARTPTS,scale=in_color_matrix=bt709:flags=bicubic+accurate_rnd+full_chroma_int,format=pix_fmts=rgb24[p0]',
        'write frame_001.png',
      ],
    ],
    [
      'a picture that the engine has drawn needs no step',
      'frame_last',
      {},
      source,
      { pictures: [{ pts: 9.966667, seek: null, drawn: true }] },
      [],
    ],
    [
      'what the engine has drawn is made webp',
      'frame',
      { timestamps: [5, 1], format: 'webp' },
      source,
      {
        pictures: [
          { pts: 5, seek: null, drawn: true },
          { pts: 1, seek: null, drawn: true },
        ],
      },
      [
        ...['read own', 'read own', '[0:0]format=pix_fmts=bgra[p0];[1:0]format=pix_fmts=bgra[p1]'],
        ...['write frame_001.webp', 'write frame_002.webp'],
      ],
    ],
  ])('%s', (_, name, request, probe, facts, expected) => {
    expect(linesOf(planOf(name, request, probe, facts).plan.steps)).toEqual(expected);
  });
});

test('deep RGB, which is converted in front of a crop, is not cut within a sample', () => {
  const deep = like({
    ...{ codec: 'hevc', pixelFormat: 'gbrp10le', bitDepth: 10, chroma: [1, 1] },
    color: { range: 'pc', space: 'gbr', primaries: 'bt709', transfer: 'iec61966-2-1' },
  });
  const graphOf = (request: Record<string, unknown>) =>
    linesOf(planOf('crop', request, deep, {}).plan.steps).join('\n');
  const odd = { x: 101, y: 0, width: 200, height: 200, codec: 'hevc' };
  expect(graphOf(odd)).toMatch(/format=pix_fmts=yuv420p10le,.*format=pix_fmts=yuv444p10le,crop=/);
  const path = [
    { time: 0, x: 0, y: 0 },
    { time: 5, x: 101, y: 0 },
  ];
  expect(graphOf({ path, width: 200, height: 200, codec: 'hevc' })).toContain('2*round(');
});

describe('a still picture has one time', () => {
  const still = stillLike({}, { format: 'gif' });
  const video_url = 'https://media.example.com/a.gif';
  const frame = (timestamps: number[]) => {
    const input = operations.frame.input.parse({ video_url, timestamps });
    return planners.frame.again?.({ input, probes: [still], facts: {}, ...means });
  };
  const last = (epsilon: number) =>
    planners.frame_last.analyses(operations.frame_last.input.parse({ video_url, epsilon }), [still], means);

  test('which may be asked for', () => {
    expect(frame([0])).toHaveLength(1);
    expect(last(0)).toHaveLength(1);
  });

  test.each([
    ['timestamps[1]', () => frame([0, 0.05])],
    ['epsilon', () => last(0.05)],
  ])('and other ones are refused by name: %s', (field, plan) => {
    expect(plan).toThrow(
      `${field} is 0.05 s, but the source is a still picture, which has no other time than 0.`,
    );
  });
});
