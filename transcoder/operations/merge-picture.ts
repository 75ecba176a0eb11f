import { decimal } from '../ffmpeg/arguments.ts';
import type { Capabilities } from '../ffmpeg/capabilities.ts';
import type { Chain, Color, Filter, Render, Step } from '../ffmpeg/step.ts';
import type { VideoStream } from '../media/probe.ts';
import { onBlurred } from './backdrop.ts';
import { anchored, fitFilters, fitted, type Size } from './geometry.ts';
import type { Clip, Joint, MergeInput, Timeline } from './merge-timeline.ts';
import { seekBefore } from './timeline.ts';
import { drawingOf, jointChains } from './transitions.ts';
import { toSdr, type VideoTarget } from './video.ts';

/** What every part of the picture is brought to. */
export interface Canvas {
  size: Size;
  target: VideoTarget;
  /** Whether the result is HDR. */
  hdr: boolean;
  input: MergeInput;
  capabilities: Capabilities;
}

/** A part of the result that is made by itself: frames of one clip, or a joint of two. */
export interface Part {
  file: string;
  /** Frame of the result at which it begins. */
  at: number;
  frames: number;
  /** The clip that it shows alone, and the first of its frames that are shown; null for a joint. */
  body: { clip: Clip; from: number } | null;
  steps: Step[];
}

/**
 * The result as parts, each encoded once and straight from the sources: bodies, which show one clip, and joints. So at
 * most two sources are decoded at a time, however many there are.
 */
export function partsOf(timeline: Timeline, canvas: Canvas): Part[] {
  const { clips, joints } = timeline;
  return clips.flatMap((clip, index) => {
    const [before, after] = [joints[index - 1], joints[index]];
    const [from, to] = [before?.frames ?? 0, clip.frames - (after?.frames ?? 0)];
    const next = clips[index + 1];
    return [
      ...(to > from ? [bodyOf(timeline, canvas, clip, from, to)] : []),
      ...(after && next && after.frames > 0 ? [jointOf(timeline, canvas, after, clip, next)] : []),
    ];
  });
}

function bodyOf(timeline: Timeline, canvas: Canvas, clip: Clip, from: number, to: number): Part {
  const file = `body${clip.source}.mp4`;
  const chains = clipChains(timeline, canvas, clip, { from, to }, '0', 'v');
  const inputs = [reader(timeline, clip, from)];
  return {
    file,
    at: clip.at + from,
    frames: to - from,
    body: { clip, from },
    steps: [partRender(timeline, canvas, file, inputs, chains, to - from, leadOf(timeline, clip, from))],
  };
}

function jointOf(timeline: Timeline, canvas: Canvas, joint: Joint, a: Clip, b: Clip): Part {
  const { rate } = timeline;
  const { frames, index, type } = joint;
  if (type === 'none') throw new Error('a hard cut has no picture of its own');
  const file = `joint${index}.mp4`;
  const drawing = drawingOf(type, frames, canvas.capabilities);
  const map = `map${index}.pgm`;
  const { pixelFormat } = canvas.target.encoding;
  const chains = [
    ...clipChains(timeline, canvas, a, { from: a.frames - frames, to: a.frames }, '0', 'a'),
    ...clipChains(timeline, canvas, b, { from: 0, to: frames }, '1', 'b'),
    ...jointChains({ drawing, frames, rate, pixelFormat }, '2:0'),
  ];
  const inputs = [
    reader(timeline, a, a.frames - frames),
    reader(timeline, b, 0),
    ...(drawing.kind === 'map' ? [{ map }] : []),
  ];
  return {
    file,
    at: joint.at,
    frames,
    body: null,
    steps: [
      ...(drawing.kind === 'map'
        ? [{ kind: 'map' as const, file: map, shape: drawing.shape, ...canvas.size }]
        : []),
      partRender(timeline, canvas, file, inputs, chains, frames, leadOf(timeline, a, a.frames - frames)),
    ],
  };
}

const reader = ({ rate }: Timeline, clip: Clip, from: number) => ({
  source: clip.source,
  seek: seekBefore(clip.probe, clip.zero + from / rate.fps),
});

/** Seconds that are decoded before the first of these frames. */
function leadOf({ rate }: Timeline, { probe, zero }: Clip, from: number): number {
  const time = zero + from / rate.fps;
  return seekBefore(probe, time) === null ? time - probe.origin : 1;
}

function partRender(
  { rate }: Timeline,
  canvas: Canvas,
  file: string,
  inputs: Render['inputs'],
  chains: Chain[],
  frames: number,
  lead: number,
): Render {
  const encode = canvas.target.encoding;
  return {
    kind: 'render',
    inputs,
    chains,
    outputs: [{ file, container: 'mp4', video: { from: 'v', encode }, audio: null }],
    seconds: frames / rate.fps,
    lead,
  };
}

/** A frame of the result shows the last one of the clip that begins less than this part of a frame after it. */
const LATE = 0.3;

/** Frames `from` … `to` of a clip on the grid of the result, counted from 0, in its size and format. */
function clipChains(
  { rate }: Timeline,
  canvas: Canvas,
  clip: Clip,
  { from, to }: { from: number; to: number },
  input: string,
  label: string,
): Chain[] {
  const start = clip.zero + (from - (0.5 - LATE)) / rate.fps;
  const grid: Filter[] = [
    { name: 'settb', options: { expr: '1/1000000' } },
    { name: 'setpts', options: { expr: `PTS-${decimal(start)}/TB` } },
    { name: 'fps', options: { fps: `${rate.numerator}/${rate.denominator}`, start_time: 0 } },
    { name: 'tpad', options: { stop: -1, stop_mode: 'clone' } },
    { name: 'trim', options: { end_frame: to - from } },
  ];
  const { size, input: asked } = canvas;
  const { pixelFormat } = canvas.target.encoding;
  const format: Filter = { name: 'format', options: { pix_fmts: pixelFormat } };
  const display = { width: clip.video.displayWidth, height: clip.video.displayHeight };
  const before = [...grid, ...colorFilters(clip.video, canvas)];
  const head = { from: [`${input}:${clip.video.index}`] };
  if (asked.fit !== 'blur' || sameShape(display, size)) {
    const fit = asked.fit === 'blur' ? 'stretch' : asked.fit;
    const same = clip.video.sar === 1 && display.width === size.width && display.height === size.height;
    const fitting = same
      ? [{ name: 'setsar', options: { sar: 1 } }]
      : fitFilters(display, size, fit, true, asked.background).filters;
    return [{ ...head, filters: [...before, ...fitting, format], to: [label] }];
  }
  const within = fitted(display, size, 'inside');
  const inside = { width: Math.min(within.width, size.width), height: Math.min(within.height, size.height) };
  const place = { ...anchored('center', size, inside), ...inside };
  return [
    { ...head, filters: [...before, format], to: [`${label}whole`] },
    ...onBlurred({ from: `${label}whole`, to: `${label}laid` }, display, size, place, pixelFormat),
    { from: [`${label}laid`], filters: [format], to: [label] },
  ];
}

const sameShape = (a: Size, b: Size) => Math.abs((a.width * b.height) / (a.height * b.width) - 1) < 0.005;

/** Brings the colours of a clip to those of the result. */
function colorFilters(video: VideoStream, { hdr, target, capabilities }: Canvas): Filter[] {
  const { color } = target.encoding;
  if (video.hdr && !hdr) return toSdr(capabilities);
  if (hdr && (!video.hdr || video.color.transfer !== color.transfer))
    return toHdr(video, color, capabilities);
  const space = (name: string | null) => (name === null ? null : (spaces[name] ?? null));
  const [own, wanted] = [space(video.color.space), space(color.space)];
  const full = (range: string | null) => range === 'pc';
  const ranges =
    full(video.color.range) === full(color.range)
      ? {}
      : { out_range: full(color.range) ? 'full' : 'limited' };
  const matrix = own === wanted || own === null || wanted === null ? {} : { out_color_matrix: wanted };
  const options = { ...matrix, ...ranges };
  return Object.keys(options).length > 0 ? [{ name: 'scale', options }] : [];
}

/** What swscale calls the matrices that differ from one another. */
const spaces: Record<string, string> = {
  bt709: 'bt709',
  smpte170m: 'bt601',
  bt470bg: 'bt601',
  bt2020nc: 'bt2020',
};

function toHdr(video: VideoStream, color: Color, capabilities: Capabilities): Filter[] {
  if (!capabilities.filters.has('zscale')) return [];
  const { space, transfer, primaries, range } = video.color;
  return [
    {
      name: 'zscale',
      options: {
        matrixin: space ?? 'bt709',
        transferin: transfer ?? 'bt709',
        primariesin: primaries ?? 'bt709',
        rangein: range ?? 'tv',
        matrix: color.space ?? 'bt2020nc',
        transfer: color.transfer ?? 'smpte2084',
        primaries: color.primaries ?? 'bt2020',
        range: 'tv',
        npl: 203,
      },
    },
  ];
}
