import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { photoPresetNames } from '../../../schema/media/photo-presets.ts';
import { operations } from '../../../schema/operations/index.ts';
import { graphText } from '../../../transcoder/model/filter-text.ts';
import type { Facts, Plan } from '../../../transcoder/model/plan.ts';
import type { MediaProbe } from '../../../transcoder/model/source/media-probe.ts';
import { canvasOf, unitOf } from '../../../transcoder/operations/photo/canvas.ts';
import { extentOf, viewAt } from '../../../transcoder/operations/photo/easing.ts';
import { type Motion, pathOf } from '../../../transcoder/operations/photo/motion-presets.ts';
import { photoAnimate, sizeOf } from '../../../transcoder/operations/photo/photo-animate.ts';
import { closed } from './plan-graph.ts';
import { like, means, source, stillLike } from './sources.ts';

const url = 'https://media.example.com/a';
const photo = stillLike({ width: 4000, height: 3000 }, { format: 'jpeg_pipe' });

function planOf(request: Record<string, unknown>, music: MediaProbe[] = [], facts: Facts = {}): Plan {
  const input = operations.photo_animate.input.parse({
    ...(request.photo_urls === undefined ? { photo_url: url } : {}),
    ...(music.length > 0 ? { audio_url: url } : {}),
    ...request,
  });
  const photos = (input.photo_urls ?? [url]).map(() => photo);
  return closed(photoAnimate.plan({ input, probes: [...photos, ...music], facts, ...means }), { facts });
}

const linesOf = (plan: Plan) =>
  plan.steps.map((step) => {
    if (step.kind === 'render') return step.outputs.map(({ file }) => file).join(' ');
    if (step.kind === 'list')
      return step.entries.map(({ file, seconds }) => `${file} ${seconds ?? 'end'}`).join(', ');
    return step.kind;
  });

const codeOf = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('photos become these steps', () => {
  test('one photo is one part', () => {
    const plan = planOf({});
    expect(linesOf(plan)).toEqual(['canvas0.pgm', 'photo0.mp4', 'photo0.mp4 end', 'out.mp4']);
    expect(plan).toMatchObject({ duration: 5, width: 1920, height: 1080, fps: 30, warnings: [] });
  });

  test('transitions are parts of their own, drawn by a map where they need one', () => {
    const plan = planOf({ photo_urls: [url, { url, duration: 3, preset: 'drift' }], transition: 'heart' });
    expect(linesOf(plan)).toEqual([
      'canvas0.pgm',
      'photo0.mp4',
      'canvas1.pgm',
      'map',
      'joint0.mp4',
      'photo1.mp4',
      'photo0.mp4 4, joint0.mp4 1, photo1.mp4 end',
      'out.mp4',
    ]);
    expect(plan.data).toEqual({
      engine: null,
      timeline: [
        { photo: 0, preset: 'ken_burns', start: 0, end: 5 },
        { photo: 1, preset: 'drift', start: 4, end: 7 },
      ],
    });
  });

  test('a transition takes half of the shorter photo at most, and says so', () => {
    const plan = planOf({ photo_urls: [url, url], duration: 1, transition_duration: 4 });
    expect(linesOf(plan)).toEqual([
      'canvas0.pgm',
      'photo0.mp4',
      'canvas1.pgm',
      'joint0.mp4',
      'photo1.mp4',
      'photo0.mp4 0.5, joint0.mp4 0.5, photo1.mp4 end',
      'out.mp4',
    ]);
    expect(plan.warnings.map(({ code }) => code)).toEqual(['transition_shortened']);
  });

  test('photos share the time of the music to the frame, or end with it', () => {
    const photo_urls = [url, url, url];
    const stretched = planOf({ photo_urls, length_policy: 'audio', transition: 'none' }, [source]);
    expect(stretched).toMatchObject({ duration: 10 });
    const cut = planOf({ photo_urls, length_policy: 'shortest', transition: 'none' }, [source]);
    expect(cut.data).toMatchObject({ timeline: [{ end: 5 }, { start: 5, end: 10 }] });
    const short = { ...source, duration: 0.06 };
    expect(codeOf(() => planOf({ photo_urls, length_policy: 'audio' }, [short]))).toBe('clip_too_short');
    // One photo has no transition to leave room for.
    const jingle = { ...source, duration: 1.5 };
    expect(planOf({ photo_url: url, length_policy: 'audio' }, [jingle]).duration).toBe(1.5);
  });

  test('transitions are shortened where the music leaves a photo too little time for them', () => {
    const photo_urls = [
      { url, duration: 1 },
      { url, duration: 60 },
    ];
    const music = like({}, { duration: 70, audio: source.audio && { ...source.audio, duration: 70 } });
    const plan = planOf({ photo_urls, length_policy: 'audio' }, [music]);
    expect(plan).toMatchObject({ duration: 70, warnings: [{ code: 'transition_shortened' }] });
    expect(plan.data).toMatchObject({
      timeline: [
        { start: 0, end: 1.167 },
        { start: 0.6, end: 70 },
      ],
    });
    const jingle = planOf({ photo_urls: [url, url, url], length_policy: 'audio' }, [
      { ...source, duration: 1 },
    ]);
    expect(jingle).toMatchObject({ duration: 1, warnings: [{ code: 'transition_shortened' }] });
  });

  test.each([
    [3.815, [90, 114]],
    [2.5, [75, 75]],
    [61 / 30, [61, 61]],
    [2, [60]],
    [9, [90, 150]],
  ])('music of %d s ends two photos of 3 s in its last frame, also within a transition', (seconds, ends) => {
    const request = { photo_urls: [url, url], duration: 3, length_policy: 'shortest' };
    const plan = planOf(request, [{ ...source, duration: seconds }]);
    const { timeline } = plan.data as { timeline: { end: number }[] };
    expect(timeline.map(({ end }) => Math.round(end * 30))).toEqual(ends);
    expect(plan.duration).toBeCloseTo((ends.at(-1) ?? 0) / 30, 5);
    expect(plan.warnings).toHaveLength(ends[0] === ends[1] ? 1 : 0);
  });

  test('photos that are too short for their transitions end with the music too', () => {
    const photo_urls = [url, url, url, url];
    const request = { photo_urls, duration: 1, transition_duration: 1, length_policy: 'shortest' };
    expect(planOf(request, [{ ...source, duration: 2.2 }]).duration).toBeCloseTo(2.2, 5);
    expect(planOf(request, [{ ...source, duration: 9 }]).duration).toBeCloseTo(2.5, 5);
  });

  test('a photo is read once, at most two are kept, and depth is seen before its frames are drawn', () => {
    const input = operations.photo_animate.input.parse({
      photo_urls: [{ url, preset: 'parallax' }, url, { url, preset: 'parallax' }],
      duration: 2,
    });
    const engines = new Set(['depth_anything'] as const);
    const probes = [photo, photo, photo];
    const plan = closed(photoAnimate.plan({ input, probes, facts: {}, ...means, engines }));
    expect(linesOf(plan)).toEqual([
      'canvas0.pgm small0.ppm',
      'depth',
      'photo0.mp4',
      'canvas1.pgm',
      'joint0.mp4',
      'canvas0.pgm small0.ppm',
      'depth',
      'joint1.mp4',
      'photo2.mp4',
      'photo0.mp4 1, joint0.mp4 1, joint1.mp4 1, photo2.mp4 end',
      'out.mp4',
    ]);
    expect(plan.data).toMatchObject({ engine: { id: 'depth_anything' } });
  });

  test('the views of a photo go on through its transitions without a jump', () => {
    const request = { preset: 'zoom_in', duration: 2, fps: 10, easing: 'linear' };
    const layers = planOf({ ...request, photo_urls: [url, url, url] }).steps.flatMap((step) =>
      step.kind === 'render'
        ? step.inputs.flatMap((input) =>
            'drawing' in input && input.drawing.kind === 'photos' ? [input.drawing.layers] : [],
          )
        : [],
    );
    expect(layers.map((each) => each.map(({ picture }) => picture))).toEqual([
      ['canvas0.pgm'],
      ['canvas0.pgm', 'canvas1.pgm'],
      ['canvas1.pgm', 'canvas0.pgm'],
      ['canvas0.pgm'],
    ]);
    const [alone, first, second] = layers;
    const one = planOf({ ...request, photo_url: url }).steps.flatMap((step) =>
      step.kind === 'render' && step.inputs[0] && 'drawing' in step.inputs[0] ? [step.inputs[0].drawing] : [],
    );
    const whole = one[0]?.kind === 'photos' ? one[0].layers[0]?.views : undefined;
    expect(whole).toHaveLength(20);
    expect([...(alone?.[0]?.views ?? []), ...(first?.[0]?.views ?? [])]).toEqual(whole);
    expect([...(first?.[1]?.views ?? []), ...(second?.[0]?.views ?? [])]).toEqual(whole);
  });

  test('parallax stands at one place of a photo in all parts of it that are drawn', () => {
    const input = operations.photo_animate.input.parse({
      photo_urls: [url, url],
      ...{ preset: 'parallax', duration: 2, focus_x: 0.2, focus_y: 0.5, zoom_end: 2 },
    });
    const engines = new Set(['depth_anything'] as const);
    const plan = photoAnimate.plan({ input, probes: [photo, photo], facts: {}, ...means, engines });
    const places = plan.steps.flatMap((step) =>
      step.kind === 'render'
        ? step.inputs.flatMap((each) =>
            'drawing' in each && each.drawing.kind === 'photos' ? each.drawing.layers : [],
          )
        : [],
    );
    const still = places.map((layer) => (layer.kind === 'deep' ? layer.still : null));
    expect(still).toHaveLength(4);
    expect(new Set(still.map((place) => JSON.stringify(place))).size).toBe(1);
  });

  test('what is no photo, asks for depth or is too large is refused', () => {
    const input = operations.photo_animate.input.parse({ photo_url: url });
    expect(codeOf(() => photoAnimate.analyses(input, [source], means))).toBe('source_not_media');
    expect(codeOf(() => planOf({ preset: 'parallax' }))).toBe('engine_unavailable');
    expect(codeOf(() => planOf({ width: 4000, height: 2000 }))).toBe('output_too_large');
  });
});

test.each([
  [{}, 1920, 1080],
  [{ aspect_ratio: '9:16' }, 1080, 1920],
  [{ aspect_ratio: '1:1' }, 1080, 1080],
  [{ aspect_ratio: '21:9' }, 1920, 822],
  [{ aspect_ratio: '4:5', width: 800 }, 800, 1000],
  [{ width: 301, height: 201 }, 300, 200],
])('%j is %i by %i', (request, width, height) => {
  expect(sizeOf(operations.photo_animate.input.parse({ photo_url: url, ...request }))).toEqual({
    width,
    height,
  });
});

describe('the way of a view', () => {
  const presets = photoPresetNames;
  const motions = fc.record({
    preset: fc.constantFrom(...presets),
    size: fc.record({
      width: fc.integer({ min: 40, max: 9000 }),
      height: fc.integer({ min: 40, max: 9000 }),
    }),
    zoom: fc.record({
      start: fc.double({ min: 1, max: 3, noNaN: true }),
      end: fc.double({ min: 1, max: 3, noNaN: true }),
    }),
    focus: fc.record({
      x: fc.double({ min: 0, max: 1, noNaN: true }),
      y: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    easing: fc.constantFrom('linear' as const, 'ease_in_out' as const),
    duration: fc.double({ min: 1, max: 60, noNaN: true }),
    index: fc.integer({ min: 0, max: 59 }),
    seed: fc.integer({ min: 0, max: 2_147_483_647 }),
  });

  test('never leaves the photo, whatever is asked for, and its canvas holds all of it', () => {
    fc.assert(
      fc.property(motions, ({ size, ...motion }) => {
        const result = { width: 1920, height: 1080 };
        const unit = unitOf(size, result, 'cover');
        const reach = { x: size.width / unit.width, y: size.height / unit.height };
        const path = pathOf({ ...motion, reach });
        for (let step = 0; step <= 40; step++) {
          const view = viewAt(path, step / 40);
          expect(view.x).toBeGreaterThan(-1e-6);
          expect(view.y).toBeGreaterThan(-1e-6);
          expect(view.x + view.side).toBeLessThan(reach.x + 1e-6);
          expect(view.y + view.side).toBeLessThan(reach.y + 1e-6);
        }
        const canvas = canvasOf(size, result, 'cover', path);
        const extent = extentOf(path);
        expect(extent.x[0] * canvas.x.factor + canvas.x.offset).toBeGreaterThan(-1);
        expect(extent.x[1] * canvas.x.factor + canvas.x.offset).toBeLessThan(canvas.size.width + 1);
        expect(extent.y[1] * canvas.y.factor + canvas.y.offset).toBeLessThan(canvas.size.height + 1);
        expect(canvas.size.width * canvas.size.height).toBeLessThan(16_500_000);
      }),
      { numRuns: 400 },
    );
  });

  test('ends at its focus, goes the way that its name says, and depends on its seed alone', () => {
    const motion: Motion = {
      preset: 'zoom_in',
      ...{ reach: { x: 1, y: 1 }, zoom: { start: 1, end: 2 }, focus: { x: 0.3, y: 0.6 } },
      ...{ easing: 'linear', duration: 4, index: 0, seed: 0 },
    };
    const end = viewAt(pathOf(motion), 1);
    expect([end.x + end.side / 2, end.y + end.side / 2]).toEqual([0.3, 0.6]);
    const stepOf = (preset: Motion['preset']) => {
      const path = pathOf({ ...motion, preset });
      const [from, to] = [viewAt(path, 0.2), viewAt(path, 0.8)];
      return [Math.sign(to.x - from.x), Math.sign(to.y - from.y)];
    };
    expect(
      ['pan_left', 'pan_right', 'pan_up', 'pan_down'].map((name) => stepOf(name as Motion['preset'])),
    ).toEqual([
      [-1, 0],
      [1, 0],
      [0, -1],
      [0, 1],
    ]);
    const drift = (seed: number) => pathOf({ ...motion, preset: 'drift', seed });
    expect(drift(5)).toEqual(drift(5));
    expect(drift(5)).not.toEqual(drift(6));
  });
});

test('a photo of nearly the shape of the output has no lines of color around it', () => {
  const almost = stillLike({ width: 3000, height: 1680, displayWidth: 3000, displayHeight: 1680 });
  for (const fill of ['blur', 'contain']) {
    const views = { preset: 'zoom_in', zoom_end: 1, fill, aspect_ratio: '16:9' };
    const input = operations.photo_animate.input.parse({ photo_url: url, ...views });
    const plan = photoAnimate.plan({ input, probes: [almost], facts: {}, ...means });
    const chains = plan.steps.flatMap((step) => (step.kind === 'render' ? step.chains : []));
    expect(graphText(chains), fill).not.toMatch(/pad=|gblur/);
  }
});
