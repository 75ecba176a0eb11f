import type { TransitionName } from '../../schema/media/transitions.ts';
import type { Capabilities } from '../../transcoder/model/capabilities.ts';
import type { Plan } from '../../transcoder/model/plan.ts';
import type { Chain, Render, Step } from '../../transcoder/model/steps.ts';
import { frameRate } from '../../transcoder/operations/plan/frame-rate.ts';
import { drawingOf, jointChains } from '../../transcoder/operations/plan/transitions.ts';
import { size } from './picture.ts';

const rate = frameRate(24);

/** Frames of a preview: the first picture alone, the transition, the second picture alone. */
const alone = 12;
const frames = 24;
export const previewFrames = alone + frames + alone;
export const previewSeconds = previewFrames / rate.fps;

/** A preview as a transcoder plan; the transition uses the filter chains of a merge. */
export function previewPlan(
  name: TransitionName,
  pictures: [string, string],
  capabilities: Capabilities,
): Plan {
  const file = `${name}.mp4`;
  const map = `${name}.pgm`;
  const drawing = drawingOf(name, frames, capabilities.transitions, size);
  const pixelFormat = 'yuv420p';
  const color = { space: 'smpte170m', transfer: 'smpte170m', primaries: 'smpte170m', range: 'tv' };
  const render: Render = {
    kind: 'render',
    inputs: [
      ...pictures.map((picture) => ({ pictures: picture })),
      ...(drawing.kind === 'map' ? [{ map }] : []),
    ],
    chains: [
      ...still('0:0', [
        { name: 'head', frames: alone },
        { name: 'a', frames },
      ]),
      ...still('1:0', [
        { name: 'b', frames },
        { name: 'tail', frames: alone },
      ]),
      ...jointChains({ drawing, frames, size, rate, pixelFormat, color }, '2:0'),
      { from: ['head', 'v', 'tail'], filters: [{ name: 'concat', options: { n: 3 } }], to: ['clip'] },
    ],
    outputs: [
      {
        file,
        container: 'mp4',
        video: {
          from: 'clip',
          encode: {
            encoder: 'libx264',
            // Noise and small patterns would otherwise take ten times the size of a fade.
            rate: { crf: 24, maxKbps: 120 },
            pixelFormat,
            timeBase: `${rate.denominator}/${rate.numerator}`,
            keyframeInterval: previewFrames,
            frameSeconds: rate.denominator / rate.numerator,
            reorder: true,
            color,
            mastering: null,
          },
        },
        audio: null,
      },
    ],
    seconds: previewSeconds,
    lead: 0,
  };
  const drawMap: Step[] =
    drawing.kind === 'map' ? [{ kind: 'map', file: map, shape: drawing.shape, ...size }] : [];
  return {
    steps: [...drawMap, render],
    files: [{ role: 'video', file, extension: 'mp4', media_type: 'video/mp4' }],
    expect: { media: [], pictures: [] },
    duration: previewSeconds,
    ...size,
    fps: rate.fps,
    data: {},
    time_map: [],
    warnings: [],
  };
}

/** A still picture, with any number of copies of any length. */
function still(input: string, parts: { name: string; frames: number }[]): Chain[] {
  const copies = parts.map(({ name }) => `${name}0`);
  return [
    {
      from: [input],
      filters: [
        { name: 'scale', options: { out_color_matrix: 'smpte170m', out_range: 'limited' } },
        { name: 'format', options: { pix_fmts: 'yuv420p' } },
        { name: 'setsar', options: { sar: 1 } },
        { name: 'loop', options: { loop: -1, size: 1 } },
        { name: 'settb', options: { expr: `${rate.denominator}/${rate.numerator}` } },
        { name: 'setpts', options: { expr: 'N' } },
        { name: 'fps', options: { fps: `${rate.numerator}/${rate.denominator}` } },
        { name: 'split' },
      ],
      to: copies,
    },
    ...parts.map(({ name, frames: length }, index) => ({
      from: [copies[index] ?? ''],
      filters: [{ name: 'trim', options: { end_frame: length } }],
      to: [name],
    })),
  ];
}
