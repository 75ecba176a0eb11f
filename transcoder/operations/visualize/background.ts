import type { Warning } from '../../../schema/task/task.ts';
import type { PlanRequest } from '../../model/plan.ts';
import type { Chain, Filter, Input, Step } from '../../model/steps.ts';
import { matrixOf } from '../plan/color-matrix.ts';
import { deinterlaced, interlacedSource } from '../plan/deinterlace.ts';
import type { FrameRate } from '../plan/frame-rate.ts';
import { displaySize, fitFilters, type Size } from '../plan/geometry.ts';
import { movingOf } from '../plan/require-streams.ts';
import {
  drawnColors,
  plain,
  repeatedFor,
  type StillPicture,
  stillChains,
  stillInput,
  stillOf,
} from '../plan/still-image.ts';
import { alphaDropped, isRgb, toSdr, type VideoTarget } from '../plan/video-target.ts';
import type { Layout, VisualizeInput } from './layout.ts';
import { rolesOf } from './sources.ts';

interface Stage {
  layout: Layout;
  size: Size;
  rate: FrameRate;
  frames: number;
  target: VideoTarget;
}

/** Everything behind the visual, with cover and text, under the label `backdrop`; its inputs follow input 0. */
interface Backdrop {
  inputs: Input[];
  chains: Chain[];
  steps: Step[];
  warnings: Warning[];
}

export function backdropOf(request: PlanRequest<VisualizeInput>, stage: Stage): Backdrop {
  const { input } = request;
  const { layout, frames, rate } = stage;
  const ground = groundOf(request, stage);
  const cover = coverOf(request, layout, ground.inputs.length + 1);
  const text: Filter[] = layout.text ? [{ name: 'ass', options: { filename: 'title.ass' } }] : [];
  const moving = input.video_url !== undefined;
  const repeated = moving ? [] : repeatedFor(frames, rate);
  return {
    inputs: [...ground.inputs, ...cover.inputs],
    chains: [
      ...ground.chains,
      ...cover.chains,
      {
        from: cover.at ? ['ground', 'cover'] : ['ground'],
        filters: [
          ...(cover.at
            ? [{ name: 'overlay', options: { ...cover.at, format: 'yuv420', eof_action: 'repeat' } }]
            : []),
          ...text,
          ...repeated,
        ],
        to: ['backdrop'],
      },
    ],
    steps: cover.steps,
    warnings: ground.warnings,
  };
}

/** A color, picture or video that fills the frame, under the label `ground`. */
function groundOf(
  request: PlanRequest<VisualizeInput>,
  { size, rate, frames }: Stage,
): Omit<Backdrop, 'steps'> {
  const { input, probes, facts, capabilities } = request;
  const { behind } = rolesOf(input);
  const probe = behind === null ? undefined : probes[behind];
  if (behind === null || !probe) {
    const filters = [...plain(size, input.background_color), ...drawnColors()];
    return { inputs: [], chains: [{ from: [], filters, to: ['ground'] }], warnings: [] };
  }
  if (input.image_url !== undefined) {
    const picture = stillOf(probe, behind, facts.sources?.[behind]);
    const fitting = fitFilters(picture.size, size, 'cover', true).filters;
    return {
      inputs: [stillInput(picture)],
      chains: [
        ...stillChains(picture, 1, 'behind', input.background_color),
        { from: ['behind'], filters: [...fitting, ...drawnColors()], to: ['ground'] },
      ],
      warnings: [],
    };
  }
  const { video } = movingOf(probe, behind);
  const looped = input.when_background_shorter === 'loop';
  return {
    inputs: [{ source: behind, seek: null, loop: looped }],
    chains: [
      {
        from: [`1:${video.index}`],
        filters: [
          ...deinterlaced(video),
          { name: 'setpts', options: { expr: 'PTS-STARTPTS' } },
          { name: 'fps', options: { fps: `${rate.numerator}/${rate.denominator}`, start_time: 0 } },
          ...(looped ? [] : [{ name: 'tpad', options: { stop: -1, stop_mode: 'clone' } }]),
          { name: 'trim', options: { end_frame: frames } },
          ...(video.hdr ? toSdr(video, capabilities) : []),
          ...fitFilters(displaySize(video), size, 'cover', true).filters,
          ...drawnColors('yuv420p', video.hdr || isRgb(video) ? null : matrixOf(video)),
        ],
        to: ['ground'],
      },
    ],
    warnings: [
      ...interlacedSource(video),
      ...(video.hdr ? [toneMapped] : []),
      ...(video.alpha ? [alphaDropped('a background')] : []),
    ],
  };
}

const toneMapped: Warning = {
  code: 'hdr_tonemapped',
  detail: 'The background is HDR and was tone-mapped to BT.709.',
};

/** The cover with rounded corners, under the label `cover`; `first` is its first input. */
function coverOf(request: PlanRequest<VisualizeInput>, { cover: place }: Layout, first: number) {
  const { cover: source } = rolesOf(request.input);
  const probe = source === null ? undefined : request.probes[source];
  if (!place || source === null || !probe) return { inputs: [], chains: [], steps: [], at: null };
  const picture: StillPicture = stillOf(probe, source, request.facts.sources?.[source]);
  const fitting = fitFilters(picture.size, place, 'cover', true).filters;
  const inputs: Input[] = [stillInput(picture), { map: 'cover.pgm' }];
  const chains: Chain[] = [
    ...stillChains(picture, first, 'front', request.input.background_color),
    { from: ['front'], filters: [...fitting, ...drawnColors('yuva420p')], to: ['square'] },
    {
      from: [`${first + 1}:0`],
      filters: [{ name: 'format', options: { pix_fmts: 'gray' } }],
      to: ['corners'],
    },
    { from: ['square', 'corners'], filters: [{ name: 'alphamerge' }], to: ['cover'] },
  ];
  const steps: Step[] = [{ kind: 'rounded', file: 'cover.pgm', side: place.width, radius: place.radius }];
  return { inputs, chains, steps, at: { x: place.x, y: place.y } };
}
