import { describe, expect, test } from 'vitest';
import { isComposed, transitionNames } from '../../../schema/media/transitions.ts';
import type { MediaProbe } from '../../../transcoder/model/source/media-probe.ts';
import { mirrored } from '../../../transcoder/operations/plan/joints/mirrored.ts';
import { failureOf, planOf, url } from './merge-plan.ts';
import { linesOf } from './plan-lines.ts';
import { like, source, stillLike } from './sources.ts';

describe('joints', () => {
  test('use their own type and duration, or the request’s if they have none', () => {
    const transitions = [{ duration: 2 }, { type: 'none' }];
    const plan = planOf(
      { transition: 'fade', duration: 1, transitions },
      { clips: [source, source, source, source] },
    );
    expect(plan.data.joints).toEqual([
      { index: 0, type: 'fade', at: 8, duration: 2 },
      { index: 1, type: 'none', at: 18, duration: 0 },
      { index: 2, type: 'fade', at: 27, duration: 1 },
    ]);
    expect(plan.duration).toBe(37);
  });

  test('an offset ends the clip before with its transition', () => {
    const plan = planOf({ transitions: [{ type: 'fade', duration: 1, offset: 4 }] });
    expect(plan.data.joints).toEqual([{ index: 0, type: 'fade', at: 4, duration: 1 }]);
    expect(plan.duration).toBe(14);
  });

  test('the offset of a hard cut may be the end of its clip, but not behind it', () => {
    const cutAt = (offset: number) => planOf({ transitions: [{ type: 'none', offset }] });
    expect(cutAt(10).data.joints).toEqual([{ index: 0, type: 'none', at: 10, duration: 0 }]);
    expect(cutAt(10).duration).toBe(20);
    expect(failureOf(() => cutAt(10.1))).toMatchObject({ code: 'time_out_of_range' });
    const fade = { transitions: [{ type: 'fade', duration: 1, offset: 10 }] };
    expect(failureOf(() => planOf(fade))).toMatchObject({ code: 'time_out_of_range' });
  });

  test('a transition that is shortened starts at its offset all the same', () => {
    const urls = [url, { url, end: 1 }];
    const plan = planOf({ urls, transitions: [{ type: 'fade', duration: 3, offset: 5 }] });
    expect(plan.data.joints).toEqual([{ index: 0, type: 'fade', at: 5, duration: 1 }]);
    expect(plan.duration).toBe(6);
    expect(plan.warnings.map(({ code }) => code)).toEqual(['transition_shortened']);
    const between = planOf(
      {
        urls: [url, { url, end: 4 }, { url, end: 1 }],
        transitions: [
          { type: 'fade', duration: 2 },
          { type: 'fade', duration: 2, offset: 0 },
        ],
      },
      { clips: [source, source, source] },
    );
    expect(between.data.joints).toMatchObject([
      { at: 9, duration: 1 },
      { at: 10, duration: 1 },
    ]);
  });

  test('both transitions of a short clip are shortened by the same share', () => {
    const urls = [url, { url, end: 1 }, url];
    const clips = [source, source, source];
    const transitions = [{ duration: 1 }, { duration: 3 }];
    const plan = planOf({ urls, transition: 'fade', transitions }, { clips });
    expect(plan.data.joints).toMatchObject([{ duration: 0.233333 }, { duration: 0.733333 }]);
    expect(plan.warnings.map(({ code }) => code)).toEqual(['transition_shortened', 'transition_shortened']);
    const strict = { urls, transition: 'fade', transitions, on_short_clip: 'error' };
    expect(failureOf(() => planOf(strict, { clips }))).toMatchObject({
      code: 'clip_too_short',
      sourceIndex: 1,
    });
  });

  test('transitions longer than all clips leave each one of a short clip its share', () => {
    const urls = [{ url, end: 2 }, { url, end: 0.2 }, url];
    const plan = planOf({ urls, transition: 'fade', duration: 10 }, { clips: [source, source, source] });
    expect(plan.data.joints).toMatchObject([{ duration: 0.1 }, { duration: 0.1 }]);
    const blink = [{ url, end: 1 / 30 }, { url, end: 0.2 }, url];
    const uneven = planOf(
      { urls: blink, transition: 'fade', duration: 10 },
      { clips: [source, source, source] },
    );
    expect(uneven.data.joints).toMatchObject([{ duration: 0.033333 }, { duration: 0.166667 }]);
  });

  test('the source that does not fit is named', () => {
    const urls = [url, { url, start: 12 }];
    expect(failureOf(() => planOf({ urls }))).toMatchObject({ code: 'time_out_of_range', sourceIndex: 1 });
    const empty = { facts: { sources: [{}, { tail: [] }] } };
    expect(failureOf(() => planOf({}, empty))).toMatchObject({ code: 'source_no_video', sourceIndex: 1 });
    const still = stillLike({});
    expect(failureOf(() => planOf({}, { clips: [source, still] }))).toMatchObject({
      code: 'source_no_video',
      sourceIndex: 1,
    });
  });
});

describe('a clip', () => {
  const slow = like({ frameRate: '24/1', frameDuration: 1 / 24, frames: 240 });

  test('of a frame that is shorter than half of one of the output has one frame', () => {
    const blink = { frameRate: '60/1', frameDuration: 1 / 60, frames: 1, duration: 1 / 60 };
    const single = like(blink, { duration: 1 / 60, audio: null });
    const { expect: result } = planOf({}, { clips: [slow, single] });
    expect(result.media[0]?.video?.frames).toBe(241);
    const fast = like({ frameRate: '60/1', frameDuration: 1 / 60, frames: 600 });
    const urls = [url, { url, start: 5, end: 5 + 1 / 60 }];
    expect(planOf({ urls }, { clips: [slow, fast] }).expect.media[0]?.video?.frames).toBe(241);
  });

  test('without a frame of the source is refused', () => {
    const urls = [url, { url, start: 5, end: 5.01 }];
    const failure = failureOf(() => planOf({ urls }, { clips: [slow, source] }));
    expect(failure).toMatchObject({ code: 'time_out_of_range', sourceIndex: 1 });
  });
});

describe('parts of clips with different bitrates', () => {
  function ratesOf(clips: readonly MediaProbe[], request: Record<string, unknown> = {}) {
    const { steps } = planOf({ transition: 'fade', duration: 1, ...request }, { clips });
    const outputs = steps.flatMap((step) => (step.kind === 'render' ? step.outputs : []));
    return Object.fromEntries(
      outputs.flatMap((output) =>
        'video' in output && output.video && 'rate' in output.video.encode
          ? [[output.file, output.video.encode.rate]]
          : [],
      ),
    );
  }
  const [slides, camera] = [like({ kbps: 120 }), like({ kbps: 8000 })];

  test('have the bitrate of their own clip, or the higher one of two clips', () => {
    const rates = ratesOf([slides, camera]);
    expect(rates).toMatchObject({
      'body0.mp4': { kbps: 120 },
      'joint0.mp4': { kbps: 8000 },
      'body1.mp4': { kbps: 8000 },
    });
    expect(ratesOf([camera, slides])).toMatchObject({
      'body0.mp4': { kbps: 8000 },
      'body1.mp4': { kbps: 120 },
    });
  });

  test('all have the same constant quality if one has no bitrate to match', () => {
    expect(ratesOf([slides, like({ kbps: null }), like({ codec: 'prores', kbps: 90_000 })])).toEqual({
      'body0.mp4': { crf: 18, maxKbps: 120 },
      'joint0.mp4': { crf: 18, maxKbps: null },
      'body1.mp4': { crf: 18, maxKbps: null },
      'joint1.mp4': { crf: 18, maxKbps: null },
      'body2.mp4': { crf: 18, maxKbps: 90_000 },
    });
  });

  test('have the requested quality', () => {
    const rates = ratesOf([slides, camera], { quality: { video_bitrate_kbps: 700 } });
    const asked = { kbps: 700, qmax: null };
    expect(rates).toEqual({ 'body0.mp4': asked, 'joint0.mp4': asked, 'body1.mp4': asked });
  });
});

describe('a picture of few pixels', () => {
  test.each(transitionNames.filter(isComposed))('fades where %s would not fit into it', (transition) => {
    const banner = like({ width: 320, height: 32 });
    const graphOf = (width: number) =>
      linesOf(planOf({ transition, width }, { clips: [banner, banner] }).steps).join('\n');
    expect(graphOf(16)).toContain('xfade=transition=fade');
    expect(graphOf(320)).not.toContain('xfade=transition=fade:');
  });

  test('has no endless mirror images', () => {
    const around = { width: 120, height: 120 };
    expect(() => mirrored({ width: 2, height: 2 }, around)).toThrow(/no mirror image/);
    expect(() => mirrored({ width: 2, height: 120 }, around)).toThrow(/no mirror image/);
    expect(mirrored({ width: 4, height: 120 }, around)).not.toHaveLength(0);
  });
});
