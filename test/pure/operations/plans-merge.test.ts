import { describe, expect, test } from 'vitest';
import { isComposed, isMap, transitionNames } from '../../../schema/media/transitions.ts';
import { operations } from '../../../schema/operations/index.ts';
import { mapPicture } from '../../../transcoder/media/steps/luma-map.ts';
import { graphText } from '../../../transcoder/model/filter-text.ts';
import type { Facts, SourceFacts } from '../../../transcoder/model/plan.ts';
import type { MovingProbe } from '../../../transcoder/model/source/media-probe.ts';
import { SurveyedPackets } from '../../../transcoder/model/source/surveyed-packets.ts';
import type { Render } from '../../../transcoder/model/steps.ts';
import { mergeUrls } from '../../../transcoder/operations/merge/merge-urls.ts';
import { drawingOf } from '../../../transcoder/operations/plan/transitions.ts';
import { planOf, url } from './merge-plan.ts';
import { capabilities, like, means, source } from './sources.ts';

/** One line for each step. */
function linesOf(plan: ReturnType<typeof planOf>): string[] {
  return plan.steps.map((step) => {
    if (step.kind === 'render' || step.kind === 'mix')
      return `${step.kind} ${step.outputs.map(({ file }) => file).join(' ')}`;
    if (step.kind === 'list')
      return `list ${step.entries.map(({ file, seconds }) => `${file} ${seconds ?? 'end'}`).join(' ')}`;
    if (step.kind === 'append') return `append ${step.parts.join(' ')}`;
    return step.kind === 'map' ? `draw ${step.shape} ${step.width} × ${step.height}` : step.kind;
  });
}

function graphOf(plan: ReturnType<typeof planOf>, file: string): string {
  const step = plan.steps.find(
    (one): one is Render => one.kind === 'render' && one.outputs.some((output) => output.file === file),
  );
  return graphText(step?.chains ?? []);
}

describe('a merge becomes these steps', () => {
  test('a hard cut has bodies alone', () => {
    const plan = planOf({});
    expect(linesOf(plan)).toEqual([
      'render body0.mp4',
      'render body1.mp4',
      'list body0.mp4 10 body1.mp4 end',
      'render middle0.raw',
      'render middle1.raw',
      'append middle0.raw middle1.raw',
      'render out.mp4',
    ]);
    expect(plan).toMatchObject({ duration: 20, fps: 30, warnings: [] });
  });

  test('a transition has a part of its own, its map is drawn first, and sound is split at its ends', () => {
    const plan = planOf({ transition: 'clock', duration: 1 });
    expect(linesOf(plan)).toEqual([
      'render body0.mp4',
      'draw clock 1280 × 720',
      'render joint0.mp4',
      'render body1.mp4',
      'list body0.mp4 9 joint0.mp4 1 body1.mp4 end',
      'render middle0.raw tail0.raw',
      'render head1.raw middle1.raw',
      'render joint0.raw',
      'append middle0.raw joint0.raw middle1.raw',
      'render out.mp4',
    ]);
    expect(plan.data).toEqual({
      joints: [{ index: 0, type: 'clock', at: 9, duration: 1 }],
      copied_seconds: 0,
      rendered_seconds: 19,
    });
    expect(plan.time_map).toEqual([
      { source: 0, in: [0, 10], out: [0, 10] },
      { source: 1, in: [0, 10], out: [9, 19] },
    ]);
    expect(plan.expect.media[0]).toMatchObject({ duration: 19, video: { frames: 570 }, endsTogether: true });
  });

  test('a joint reads the end of one clip and the start of the next, each frame as at its middle', () => {
    const graph = graphOf(planOf({ transition: 'fade', duration: 0.5 }), 'joint0.mp4');
    const grid = (start: string) =>
      `settb=expr=1/1000000,setpts=expr=PTS-(${start}),tpad=stop=1:stop_mode=clone,setpts=expr=PTS+eq(PTS\\,PREV_INPTS)*ceil(1/(30/1)/TB),fps=fps=30/1:start_time=0:eof_action=pass,tpad=stop=-1:stop_mode=clone,trim=end_frame=15,setsar=sar=1,format=pix_fmts=yuv420p`;
    expect(graph).toBe(
      [
        `[0:0]${grid('9493333')}[a]`,
        `[1:0]${grid('-6667')}[b]`,
        '[a]settb=expr=1/60[a1]',
        '[b]settb=expr=1/60[b1]',
        '[a1][b1]xfade=transition=fade:duration=0.500000:offset=-0.016667[v]',
      ].join(';'),
    );
  });

  test('what the filter lacks is drawn by us', () => {
    const old = { ...capabilities, transitions: new Set(['fade']) };
    const cover = planOf({ transition: 'coverleft' }, { capabilities: old });
    expect(graphOf(cover, 'joint0.mp4')).toContain('[a1][b1]overlay=x=W*(1-(n+0.5)/30)');
    const wind = planOf({ transition: 'hrwind' }, { capabilities: old });
    expect(linesOf(wind)).toContain('draw hrwind 1280 × 720');
  });

  test.each(transitionNames.filter(isComposed))(
    '%s needs no file, and no transition of ffmpeg',
    (transition) => {
      const none = { ...capabilities, transitions: new Set<string>() };
      const plan = planOf({ transition }, { capabilities: none });
      expect(linesOf(plan).filter((line) => line.startsWith('draw'))).toEqual([]);
      const graph = graphOf(plan, 'joint0.mp4');
      expect(graph).not.toContain('xfade');
      // Every label is made once and used once.
      const labels = graph.match(/\[[a-z]+\d*[a-z]?\d*\]/g) ?? [];
      for (const label of new Set(labels)) {
        expect(
          labels.filter((one) => one === label),
          label,
        ).toHaveLength(label === '[v]' ? 1 : 2);
      }
    },
  );

  test('clips of another size, shape and color are brought to those of the first', () => {
    const other = like({
      width: 640,
      height: 640,
      displayWidth: 640,
      displayHeight: 640,
      color: { space: 'smpte170m', transfer: null, primaries: null, range: 'pc' },
    });
    const graph = graphOf(planOf({ background: '#102030' }, { clips: [source, other] }), 'body1.mp4');
    expect(graph).toContain('scale=in_color_matrix=bt601:out_color_matrix=bt709:out_range=limited');
    expect(graph).toContain('scale=w=720:h=720');
    expect(graph).toContain('color=color=0x102030:size=280x720');
    expect(graph).toContain('overlay=x=1000:y=0');
  });

  test('the gain of a clip is that to −16 LUFS, limited by its true peak with a warning, and its own', () => {
    const loudness = (integrated: number, truePeak: number) => ({
      loudness: { integrated, truePeak, range: 1, threshold: -40 },
    });
    const urls = [url, { url, volume_db: -2 }];
    const facts = { sources: [loudness(-26, -20), loudness(-26, -6)] };
    const plan = planOf({ urls, normalize_audio: true }, { facts });
    expect(graphOf(plan, 'middle0.raw')).toContain('volume=volume=10.00dB');
    expect(graphOf(plan, 'middle1.raw')).toContain('volume=volume=2.50dB');
    expect(plan.warnings).toMatchObject([
      { code: 'loudness_limited', detail: expect.stringMatching(/^Clip 1 .* to −21\.5 LUFS/) },
    ]);
    const near = { sources: [loudness(-20, -5.1), loudness(-10, 0)] };
    expect(planOf({ urls, normalize_audio: true }, { facts: near }).warnings).toEqual([]);
  });

  test('the loudness of a clip is that of its channels as they are mixed', () => {
    const loudnessOf = (clips: MovingProbe[], more: MovingProbe[] = []) => {
      const music = more.length > 0 ? { background_audio_url: url } : {};
      const urls = clips.map(() => url);
      const input = operations.merge_urls.input.parse({ urls, normalize_audio: true, ...music });
      const analyses = mergeUrls.analyses(input, [...clips, ...more], means);
      return analyses.flatMap((each) => (each.kind === 'loudness' ? [each.mixed ?? null] : []));
    };
    const heard = (channels: number, layout: string) =>
      like({}, { audio: source.audio && { ...source.audio, channels, layout } });
    const [mono, stereo, surround] = [heard(1, 'mono'), source, heard(6, '5.1(side)')];
    expect(loudnessOf([stereo, surround, mono])).toEqual([null, 'stereo', 'stereo']);
    expect(loudnessOf([surround, stereo])).toEqual([null, '5.1']);
    expect(loudnessOf([mono, mono], [stereo])).toEqual(['stereo', 'stereo']);
  });

  test('music is the last source and repeats', () => {
    const plan = planOf({ background_audio_url: url, duck: false });
    const last = plan.steps.at(-1);
    expect(last?.kind === 'render' && last.inputs.at(-1)).toEqual({ source: 2, seek: null, loop: true });
    expect(graphOf(plan, 'out.mp4')).not.toContain('sidechain');
    expect(graphOf(planOf({ background_audio_url: url }), 'out.mp4')).toContain('sidechaincompress');
  });
});

describe('packets of clips', () => {
  const GOP = 30;
  const packets = Array.from({ length: 300 }, (_, frame) => ({
    ...{ pts: frame * 512, dts: frame * 512, duration: 512, hidden: false },
    ...{ key: frame % GOP === 0, entry: frame % GOP === 0 ? ('closed' as const) : null },
  }));
  const survey = (configuration: string): NonNullable<SourceFacts['survey']> => ({
    parts: [SurveyedPackets.of(packets)],
    configuration,
    fitting: { profile: 'high', params: 'bframes=0' },
    quantiser: 30,
    unfit: null,
  });
  const facts = (...configurations: string[]): Facts => ({
    sources: configurations.map((configuration) => ({ survey: survey(configuration) })),
  });
  const splicedIn = (plan: ReturnType<typeof planOf>) => plan.steps.find((step) => step.kind === 'splice');

  test('coded alike are copied, and joints are drawn between them by the chains of a full render', () => {
    const plan = planOf({ transition: 'fade', duration: 0.5 }, { facts: facts('a', 'a') });
    expect(linesOf(plan)).toEqual([
      'mix middle0.raw tail0.raw',
      'mix head1.raw middle1.raw',
      'mix joint0.raw',
      'append middle0.raw joint0.raw middle1.raw',
      'mix sound.m4a',
      'splice',
    ]);
    const { inputs, pieces, audio } = splicedIn(plan) ?? {};
    expect(inputs).toEqual([
      { source: 0, stream: 0 },
      { source: 1, stream: 0 },
      { file: 'sound.m4a', format: 'mov', stream: 0 },
    ]);
    expect(pieces).toMatchObject([
      { kind: 'range', input: 0, head: null, copy: { frames: { length: 285 } }, tail: null, zero: 0, at: 0 },
      {
        kind: 'drawn',
        feeds: [
          { input: 0, seek: (285 - 32) * 512, from: (285 - 2) * 512, zero: 285 * 512 },
          { input: 1, seek: -32 * 512, from: -2 * 512, zero: 0 },
        ],
        map: null,
        pts: Array.from({ length: 15 }, (_, frame) => (285 + frame) * 512),
      },
      {
        ...{ kind: 'range', input: 1, head: { frames: { length: 15 } }, copy: { frames: { length: 270 } } },
        ...{ tail: null, zero: 15 * 512, at: 300 * 512 },
      },
    ]);
    expect(audio).toEqual({ input: 2, start: 0, end: 19.5 * 48_000, settle: 1 });
    const drawn = pieces?.find(({ kind }) => kind === 'drawn');
    expect(drawn && 'chains' in drawn && drawn.chains).toBe(graphOf(plan.otherwise ?? plan, 'joint0.mp4'));
    expect(plan.data).toMatchObject({ copied_seconds: 18.5, rendered_seconds: 1 });
    expect(plan.otherwise?.data).toMatchObject({ copied_seconds: 0, rendered_seconds: 19.5 });
  });

  test('coded otherwise than most are rendered, the clip that is first among them', () => {
    const plan = planOf({}, { clips: [source, source, source], facts: facts('b', 'a', 'a') });
    const { inputs, pieces } = splicedIn(plan) ?? {};
    expect(inputs?.[0]).toEqual({ source: 1, stream: 0 });
    expect(pieces?.map((piece) => [piece.kind, 'at' in piece && piece.at / 512])).toEqual([
      ['file', 0],
      ['range', 300],
      ['range', 600],
    ]);
    expect(plan.data).toMatchObject({ copied_seconds: 20, rendered_seconds: 10 });
  });

  test.each([
    ['of another size', like({ width: 640, displayWidth: 640 }), {}],
    ['turned', like({ rotation: 90 }), { width: 1280, height: 720 }],
    ['mirrored', like({ mirrored: true }), {}],
    [
      'of other colors',
      like({ color: { space: 'smpte170m', transfer: null, primaries: null, range: 'tv' } }),
      {},
    ],
    ['off the grid of the result', like({ pace: 'variable' }), {}],
  ])('of a clip %s are not copied', (_, other, request) => {
    const given = facts('a', 'a');
    const [, second] = given.sources ?? [];
    const uneven = packets.map((packet, at) => ({ ...packet, pts: packet.pts + (at % 3) * 60 }));
    const known = { ...second, survey: { ...survey('a'), parts: [SurveyedPackets.of(uneven)] } };
    const sources = [given.sources?.[0] ?? {}, other.video?.pace === 'variable' ? known : (second ?? {})];
    const plan = planOf(request, { clips: [source, other], facts: { sources } });
    expect(splicedIn(plan)?.pieces.map(({ kind }) => kind)).toEqual(['range', 'file']);
  });

  test.each([
    ['another quality', { quality: 'high' }, 'quality'],
    ['another codec', { codec: 'hevc' }, 'codec'],
    ['another size', { width: 640, height: 360 }, 'no_clip_fits'],
  ])('cannot be copied where %s is asked for', (_, request, because) => {
    const plan = planOf(request, { facts: facts('a', 'a') });
    expect(plan.rendered_because).toBe(because);
    expect(plan.data).toMatchObject({ copied_seconds: 0 });
  });
});

describe('the rate', () => {
  const tail = (gap: number) =>
    Array.from({ length: 100 }, (_, index) => ({
      pts: Math.round(index * gap * 1000) / 1000,
      dts: null,
      duration: null,
      key: false,
    }));

  test.each([
    [
      'is that of a constant first clip',
      like({ frameDuration: 1001 / 30_000, frames: 300 }),
      tail(1 / 30),
      30_000 / 1001,
    ],
    [
      'is told from frames with rounded times',
      like({ pace: 'unknown', frameDuration: 1 / 24.1 }),
      tail(1001 / 24_000),
      24_000 / 1001,
    ],
    [
      'is that of the fastest clip where frames stand irregularly',
      like({ pace: 'variable', frameDuration: 1 / 17 }),
      tail(1 / 17).filter((_, index) => index % 5 !== 0),
      30,
    ],
    [
      'is 30 and not 29.97 where the mean of irregular frames is 30',
      like({ pace: 'variable', frameDuration: 1 / 30 }),
      tail(1 / 15).filter((_, index) => index % 5 !== 0),
      30,
    ],
  ])('%s', (_, first, packets, fps) => {
    const clips = [first, source];
    const plan = planOf({}, { clips, facts: { tail: packets, sources: [{ tail: packets }, {}] } });
    // The figure for callers is rounded; the tolerance is a frame of the exact rate.
    expect(1 / (plan.expect.media[0]?.tolerance ?? 0)).toBeCloseTo(fps, 6);
  });

  test('may be asked for, and clips are counted in it', () => {
    const plan = planOf({ fps: 25 });
    expect(plan.expect.media[0]?.video?.frames).toBe(500);
  });
});

test('a dissolve is a cross-fade, and the noise is another transition', () => {
  const known = new Set(transitionNames);
  const size = { width: 64, height: 64 };
  expect(drawingOf('dissolve', 10, known, size)).toEqual(drawingOf('fade', 10, known, size));
  expect(drawingOf('noise', 10, known, size)).toEqual({ kind: 'map', shape: 'noise' });
});

describe('maps', () => {
  const shapes = transitionNames.filter(isMap);

  test('are thirty, of 99 transitions', () => {
    expect(shapes).toHaveLength(30);
    expect(transitionNames).toHaveLength(99);
  });

  test.each(shapes)('%s reaches from first to last moment, and is always the same', (shape) => {
    const picture = mapPicture(shape, 64, 36);
    const levels = picture.subarray(picture.length - 64 * 36);
    expect(picture.subarray(0, 13).toString()).toBe('P5\n64 36\n255\n');
    expect(Math.max(...levels)).toBe(191);
    expect(Math.min(...levels)).toBe(64);
    expect(mapPicture(shape, 64, 36)).toEqual(picture);
  });
});

test('planning is pure: the same request gives the same plan', () => {
  const [one, two] = [1, 2].map(() =>
    planOf({ transition: 'heart', fit: 'blur', background_audio_url: url }),
  );
  expect(one).toEqual(two);
  expect(structuredClone(one)).toEqual(one);
});
