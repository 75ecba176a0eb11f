import { describe, expect, test } from 'vitest';
import { type OperationName, operations } from '../../../schema/operations/index.ts';
import { asRequested } from '../../../transcoder/model/deinterlacing.ts';
import type { VideoStream } from '../../../transcoder/model/source/video-stream.ts';
import type { Filter, Render } from '../../../transcoder/model/steps.ts';
import { plannerOf } from '../../../transcoder/operations/index.ts';
import { like, means } from './sources.ts';

/** The first render of a plan: what frames go through, which fields are encoded, and what is said of them. */
function fieldsOf(operation: OperationName, request: object, changes: Partial<VideoStream>) {
  const url = 'https://media.example.com/source.mp4';
  const given = operation === 'merge_urls' ? { urls: [url, url] } : { video_url: url };
  const input = operations[operation].input.parse({ ...given, quality: 'high', ...request });
  const planner = plannerOf(operation);
  const source = like(changes);
  const fields = source.video && planner.deinterlacing?.(input, source.video);
  const probe = fields ? asRequested(source, fields) : source;
  const probes = operation === 'merge_urls' ? [probe, probe] : [probe];
  const plan = planner.plan({ input, probes, facts: {}, ...means });
  const render = plan.steps.find((step): step is Render => step.kind === 'render');
  const filters = render?.chains.flatMap((chain): Filter[] => chain.filters) ?? [];
  const encodings = render?.outputs.flatMap((output) =>
    'video' in output && output.video && 'encoder' in output.video.encode ? [output.video.encode] : [],
  );
  return {
    deinterlaced: filters.find(({ name }) => name === 'bwdif')?.options?.deint ?? null,
    fieldwise: filters.filter(({ name }) => name === 'scale').every(({ options }) => options?.interl === 1),
    fields: encodings?.[0]?.fields ?? null,
    warned: plan.warnings.find(({ code }) => code === 'source_interlaced')?.detail ?? null,
    data: plan.data,
  };
}

const woven = { interlaced: true };
const cut = { start: 1, end: 4 };

describe('interlaced frames that are re-encoded', () => {
  test.each<[string, OperationName, object, Partial<VideoStream>, unknown]>([
    ['are deinterlaced', 'cut', cut, woven, { deinterlaced: 'interlaced', fields: null }],
    ['are deinterlaced alone', 'cut', cut, {}, { deinterlaced: null, warned: null }],
    [
      'stay as they are with `never`',
      'cut',
      { ...cut, deinterlace: 'never' },
      woven,
      { deinterlaced: null, fields: 'top', warned: null },
    ],
    [
      'keep their order',
      'cut',
      { ...cut, deinterlace: 'never' },
      { ...woven, bottomFirst: true },
      { fields: 'bottom' },
    ],
    [
      'are no business of `never` if they are whole',
      'cut',
      { ...cut, deinterlace: 'never' },
      {},
      { fields: null, warned: null },
    ],
    [
      'are all deinterlaced with `always`',
      'cut',
      { ...cut, deinterlace: 'always' },
      woven,
      { deinterlaced: 'all', fields: null },
    ],
    [
      'are deinterlaced with `always` without a mark',
      'cut',
      { ...cut, deinterlace: 'always' },
      {},
      { deinterlaced: 'all', warned: null },
    ],
    [
      'are scaled field by field',
      'transcode',
      { height: 480, deinterlace: 'never' },
      woven,
      { fieldwise: true, fields: 'top' },
    ],
    [
      'get the chroma of 4:2:0 field by field',
      'cut',
      { ...cut, deinterlace: 'never' },
      { ...woven, chroma: [2, 1], pixelFormat: 'yuv422p' },
      { fieldwise: true, fields: 'top' },
    ],
    [
      'are cropped at whole lines of both',
      'crop',
      { x: 0, y: 10, width: 640, height: 360, deinterlace: 'never' },
      woven,
      { fields: 'top', data: { rectangle: { x: 0, y: 8, width: 640, height: 360 } } },
    ],
  ])('%s: %s %j', (_, operation, request, changes, expected) => {
    expect(fieldsOf(operation, request, changes)).toMatchObject(expected as object);
  });

  test.each<[OperationName, object, Partial<VideoStream>, RegExp]>([
    ['cut', { ...cut, codec: 'hevc' }, {}, /hevc is encoded in whole frames here/],
    ['cut', { ...cut, format: 'webm' }, {}, /vp9 is encoded/],
    ['cut', cut, { rotation: 90 }, /is turned/],
    ['cut', cut, { mirrored: true }, /or mirrored/],
    ['cut', cut, { hdr: true }, /HDR/],
    ['cut', cut, { height: 486 }, /486 px is not a multiple of 4/],
    ['transcode', { fps: 60 }, {}, /frame rate/],
    ['transcode', { height: 362 }, {}, /this size/],
    ['crop', { aspect_ratio: '1:1', fill: 'blur' }, {}, /background/],
    ['crop', { aspect_ratio: '16:9', output_height: 358 }, {}, /358 px/],
    ['crop', { aspect_ratio: '1:1', path: [{ time: 0, x: 0, y: 0 }] }, {}, /the crop moves/],
    ['speed', { rate: 2 }, {}, /speed/],
    ['speed', { flip: 'vertical' }, {}, /mirrored/],
    ['merge_urls', {}, {}, /one size and frame rate/],
  ])('are deinterlaced by %s %j of %j, and a warning says why', (operation, request, changes, why) => {
    const found = fieldsOf(operation, { ...request, deinterlace: 'never' }, { ...woven, ...changes });
    expect(found).toMatchObject({ deinterlaced: 'interlaced', fields: null });
    expect(found.warned).toMatch(why);
  });

  test('cannot be deinterlaced where nothing is re-encoded', () => {
    const url = 'https://media.example.com/source.mp4';
    const asked = { video_url: url, ...cut, mode: 'keyframe', deinterlace: 'always' };
    expect(operations.cut.input.safeParse(asked).error?.issues[0]?.path).toEqual(['deinterlace']);
  });
});
