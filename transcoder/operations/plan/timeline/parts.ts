import type { OperationInput } from '../../../../schema/operations/index.ts';
import type { Capabilities } from '../../../model/capabilities.ts';
import type { Color, Rate } from '../../../model/encoding.ts';
import { decimal } from '../../../model/numbers/decimal.ts';
import { MICROSECONDS, ticksOf } from '../../../model/numbers/rational-time.ts';
import type { VideoStream } from '../../../model/source/video-stream.ts';
import type { Chain, Filter, Render, Step } from '../../../model/steps.ts';
import { onBlurred } from '../blurred-background.ts';
import { assumedSpace, matrixOf } from '../color-matrix.ts';
import { isDrawnRight, onColor, WHITE_NITS } from '../colored-bars.ts';
import { deinterlaced } from '../deinterlace.ts';
import { onGrid } from '../filters.ts';
import { endOf, seekBefore } from '../frame-selection.ts';
import {
  displaySize,
  evenFilters,
  fitFilters,
  fittedWithin,
  isEvenPart,
  isSameShape,
  type Size,
} from '../geometry.ts';
import { pictureOutput } from '../joined-parts.ts';
import type { Delivered } from '../splice-compatibility.ts';
import { type Drawing, drawingOf, jointChains } from '../transitions.ts';
import { drawnColor, inRange, isRgb, toSdr, type VideoTarget, zscaled } from '../video-target.ts';
import { type Clip, type Gap, isClip, type Joint, type Timeline } from './timeline.ts';

/** The format that every part of the picture is converted to. */
export interface Canvas {
  size: Size;
  target: VideoTarget;
  /** The rate of a part in which these clips are visible. */
  rateOf: (visible: readonly VideoStream[]) => Rate;
  hdr: boolean;
  input: Look;
  capabilities: Capabilities;
  /** Names of the transitions that the renderer's filter supports. */
  transitions: ReadonlySet<string>;
}

/** The fields of a request that say how its pictures are shown and delivered. */
export type Look = Delivered & Pick<OperationInput<'merge_urls'>, 'fit' | 'background' | 'width' | 'height'>;

/** A part of the output: frames of one clip, or a joint of two. */
export interface Part {
  file: string;
  /** First frame in the output. */
  at: number;
  frames: number;
  /** Either one item and the first of its frames to show, or the two items that meet in a joint. */
  shows: { item: Clip | Gap; from: number } | { joint: Joint; a: Clip | Gap; b: Clip | Gap };
}

/** Splits the output into bodies and last frames that stay, which show one item, and joints: at most two sources are decoded at a time. */
export function partsOf(timeline: Timeline): Part[] {
  const { items, joints } = timeline;
  return items.flatMap((item, index) => {
    const [before, after] = [joints[index - 1], joints[index]];
    const [from, to] = [before?.frames ?? 0, item.frames - (after?.frames ?? 0)];
    const next = items[index + 1];
    const parts: Part[] = [];
    const still = stillFrom(timeline, item, from, to);
    if (still > from) {
      const file = `body${index}.mp4`;
      parts.push({ file, at: item.at + from, frames: still - from, shows: { item, from } });
    }
    if (to > still) {
      const file = `still${index}.mp4`;
      parts.push({ file, at: item.at + still, frames: to - still, shows: { item, from: still } });
    }
    if (after && next && after.frames > 0) {
      const { at, frames } = after;
      parts.push({ file: `joint${index}.mp4`, at, frames, shows: { joint: after, a: item, b: next } });
    }
    return parts;
  });
}

/** Seconds for which a last frame stays, apart from rounding. A part of its own lets the frames before it be copied. */
const STILL = 0.2;

/** The first frame of an item, among `from` … `to`, that only repeats the last one of its source; `to` if there is none. */
function stillFrom({ rate }: Timeline, item: Clip | Gap, from: number, to: number): number {
  if (!isClip(item) || item.last === undefined || item.rate === 0) return to;
  const first = Math.round(((item.last - item.zero) / item.rate) * rate.fps) + 1;
  return to - first > STILL * rate.fps ? Math.max(from, first) : to;
}

/** Source timestamp of frame `index` of a clip. */
const timeOf = ({ rate }: Timeline, clip: Clip, index: number) => clip.zero + (index / rate.fps) * clip.rate;

/** Whether frame `index` of a clip only repeats the last one of its source. */
export const isStill = (timeline: Timeline, clip: Clip, index: number): boolean =>
  timeOf(timeline, clip, index - 0.5) > (clip.last ?? Number.POSITIVE_INFINITY);

/** Source timestamp from which frame `index` of a clip is read: at the latest that of its last frame. */
export const readFrom = (timeline: Timeline, clip: Clip, index: number): number =>
  Math.min(timeOf(timeline, clip, index), clip.last ?? Number.POSITIVE_INFINITY);

export function partSteps(timeline: Timeline, canvas: Canvas, { file, frames, shows }: Part): Step[] {
  const [item, from] = 'item' in shows ? [shows.item, shows.from] : [shows.a, shows.a.frames - frames];
  const reading = (of: Clip | Gap, first: number): Render['inputs'] => {
    if (!isClip(of)) return [];
    const { source, probe } = of;
    const end = timeOf(timeline, of, first + frames) - probe.origin;
    return [{ source, seek: seekBefore(probe, readFrom(timeline, of, first)), end: endOf(probe, { end }) }];
  };
  const visible = ('item' in shows ? [item] : [item, shows.b]).filter(isClip);
  const encode = { ...canvas.target.encoding, rate: canvas.rateOf(visible.map(({ video }) => video)) };
  const render = (inputs: Render['inputs'], chains: Chain[]): Render => ({
    ...{ kind: 'render', inputs, chains },
    outputs: [pictureOutput(file, encode)],
    seconds: frames / timeline.rate.fps,
    lead: isClip(item) ? leadTo(item, readFrom(timeline, item, from)) : 0,
  });
  if ('item' in shows) {
    const chains = itemChains(timeline, canvas, item, { from, to: from + frames }, '0', 'v');
    return [render(reading(item, from), chains)];
  }
  const inputs = [...reading(item, from), ...reading(shows.b, 0)];
  const { drawing, chains } = jointDrawing(timeline, canvas, shows);
  const map = `map${shows.joint.index}.pgm`;
  if (drawing.kind !== 'map') return [render(inputs, chains)];
  return [
    { kind: 'map', file: map, shape: drawing.shape, ...canvas.size },
    render([...inputs, { map }], chains),
  ];
}

/** Seconds to decode before a moment of a clip. */
const leadTo = ({ probe }: Clip, time: number) =>
  seekBefore(probe, time) === null ? time - probe.origin : 1;

/** How a joint is drawn. Its inputs are the clips among `a` and `b`, and the map. */
export function jointDrawing(
  timeline: Timeline,
  canvas: Canvas,
  { joint, a, b }: Extract<Part['shows'], { joint: Joint }>,
): { drawing: Drawing; chains: Chain[] } {
  const { frames, type } = joint;
  if (type === 'none') throw new Error('a hard cut has no joint to draw');
  const drawing = drawingOf(type, frames, canvas.transitions, canvas.size);
  const { pixelFormat, color } = canvas.target.encoding;
  const second = isClip(a) ? 1 : 0;
  const map = isClip(b) ? second + 1 : second;
  const chains = [
    ...itemChains(timeline, canvas, a, { from: a.frames - frames, to: a.frames }, '0', 'a'),
    ...itemChains(timeline, canvas, b, { from: 0, to: frames }, `${second}`, 'b'),
    ...jointChains(
      { drawing, frames, size: canvas.size, rate: timeline.rate, pixelFormat, color },
      `${map}:0`,
    ),
  ];
  return { drawing, chains };
}

/** Frames `from` … `to` of an item in the output's size and format. */
function itemChains(
  timeline: Timeline,
  canvas: Canvas,
  item: Clip | Gap,
  range: { from: number; to: number },
  input: string,
  label: string,
): Chain[] {
  if (isClip(item)) return clipChains(timeline, canvas, item, range, input, label);
  const { rate } = timeline;
  const { size, target } = canvas;
  const { pixelFormat, color } = target.encoding;
  const whole = `${rate.numerator}/${rate.denominator}`;
  const full: Filter[] = color.range === 'pc' ? [{ name: 'scale', options: { out_range: 'full' } }] : [];
  const black = { color: 'black', size: `${size.width}x${size.height}`, rate: whole };
  const filters: Filter[] = [
    { name: 'color', options: black },
    { name: 'trim', options: { end_frame: range.to - range.from } },
    ...full,
    { name: 'format', options: { pix_fmts: pixelFormat } },
  ];
  return [{ from: [], filters, to: [label] }];
}

/** An output frame shows the latest clip frame that begins less than this share of a frame after it. */
const LATE = 0.3;

/** Frames `from` … `to` of a clip on the output's frame grid, counted from 0, in its size and format. */
function clipChains(
  timeline: Timeline,
  canvas: Canvas,
  clip: Clip,
  { from, to }: { from: number; to: number },
  input: string,
  label: string,
): Chain[] {
  const { rate } = timeline;
  const frozen = clip.rate === 0;
  const speed = frozen ? 1 : clip.rate;
  const start = readFrom(timeline, clip, from) - ((0.5 - LATE) / rate.fps) * speed;
  const passed = `PTS-(${ticksOf(start, MICROSECONDS)})`;
  const whole = `${rate.numerator}/${rate.denominator}`;
  const grid: Filter[] = [
    ...deinterlaced(clip.video),
    { name: 'settb', options: { expr: `${MICROSECONDS.num}/${MICROSECONDS.den}` } },
    { name: 'setpts', options: { expr: speed === 1 ? passed : `(${passed})/${decimal(speed)}` } },
    ...onGrid(whole),
    ...(frozen ? [{ name: 'trim', options: { end_frame: 1 } }] : []),
    { name: 'tpad', options: { stop: -1, stop_mode: 'clone' } },
    { name: 'trim', options: { end_frame: to - from } },
  ];
  const { size, target, input: asked } = canvas;
  const { pixelFormat } = target.encoding;
  const format: Filter = { name: 'format', options: { pix_fmts: pixelFormat } };
  const end = [format, ...statedAs(target.encoding.color, clip.video)];
  const display = displaySize(clip.video);
  const before = [...grid, ...colorFilters(clip.video, canvas)];
  const head = { from: [`${input}:${clip.video.index}`] };
  const laid = (chains: Chain[]): Chain[] => [
    ...chains.map((chain) => ({ ...chain, filters: inRange(chain.filters, target) })),
    { from: [`${label}laid`], filters: end, to: [label] },
  ];
  const place = fittedWithin(display, size);
  const ends = { from: `${label}whole`, to: `${label}laid` };
  const complete = { ...head, filters: [...before, format], to: [ends.from] };
  const made = { encoding: target.encoding, capabilities: canvas.capabilities };
  const bars = { canvas: size, place, background: asked.background, ...made };
  const even = clip.video.sar === 1 && isEvenPart(display, size);
  if (asked.fit === 'contain' && !even && !isDrawnRight(bars))
    return [complete, ...laid(onColor(ends, bars))];
  if (asked.fit !== 'blur' || isSameShape(display, size)) {
    const fit = asked.fit === 'blur' ? 'stretch' : asked.fit;
    const fitting = even
      ? evenFilters(display, size)
      : fitFilters(display, size, fit, true, asked.background).filters;
    return [{ ...head, filters: [...before, ...inRange(fitting, target), ...end], to: [label] }];
  }
  return [complete, ...laid(onBlurred(ends, display, size, place, pixelFormat))];
}

/** States the colors of the output. What those leave open, the encoder would take from each clip. */
function statedAs(color: Color, { color: own }: VideoStream): Filter[] {
  const tags = ['space', 'primaries', 'transfer', 'range'] as const;
  if (tags.every((tag) => color[tag] === own[tag])) return [];
  const of = (tag: (typeof tags)[number]) => color[tag] ?? 'unknown';
  const named = { colorspace: of('space'), color_primaries: of('primaries'), color_trc: of('transfer') };
  return [{ name: 'setparams', options: { ...named, range: of('range') } }];
}

/** Converts the colors of a clip to those of the output. */
function colorFilters(video: VideoStream, canvas: Canvas): Filter[] {
  const { hdr, target, capabilities } = canvas;
  const { color } = target.encoding;
  if (video.hdr && !hdr) {
    const mapped = { ...video, color: drawnColor, pixelFormat: 'yuv420p' };
    return [...toSdr(video, capabilities), ...converted(mapped, canvas)];
  }
  if (hdr && (!video.hdr || video.color.transfer !== color.transfer))
    return toHdr(video, color, capabilities);
  return converted(video, canvas);
}

/** Converts matrix and range. */
function converted(video: VideoStream, { size: { height }, target }: Canvas): Filter[] {
  const { color, pixelFormat } = target.encoding;
  const wanted = matrixOf({ color, height });
  const full = (range: string | null) => range === 'pc';
  const kept =
    full(video.color.range) === full(color.range) && !video.pixelFormat.startsWith('yuvj') && !isRgb(video);
  const ranges = kept ? {} : { out_range: full(color.range) ? 'full' : 'limited' };
  const own = isRgb(video) ? null : matrixOf(video);
  const from = own === null ? {} : { in_color_matrix: own };
  const matrix = own === wanted ? {} : { ...from, out_color_matrix: wanted };
  const options = { ...matrix, ...ranges };
  if (Object.keys(options).length === 0) return [];
  const scale: Filter = { name: 'scale', options };
  // Otherwise ffmpeg 5.1 may pass RGB and full-range formats (`yuvj…`) on to the next filter as they are, and lose what was asked here.
  if (isRgb(video)) return [scale, { name: 'format', options: { pix_fmts: pixelFormat } }];
  const left = video.pixelFormat.startsWith('yuvj') && !full(color.range);
  const format = { pix_fmts: video.pixelFormat.replace('yuvj', 'yuv') };
  return left ? [scale, { name: 'format', options: format }] : [scale];
}

function toHdr(video: VideoStream, color: Color, capabilities: Capabilities): Filter[] {
  if (!capabilities.filters.has('zscale')) return [];
  const { space, transfer, primaries, range } = video.color;
  return zscaled(video, [
    {
      name: 'zscale',
      options: {
        matrixin: space ?? (video.hdr ? 'bt2020nc' : assumedSpace(video.height)),
        transferin: transfer ?? 'bt709',
        primariesin: primaries ?? (video.hdr ? 'bt2020' : 'bt709'),
        rangein: range ?? 'tv',
        matrix: color.space ?? 'bt2020nc',
        transfer: color.transfer ?? 'smpte2084',
        primaries: color.primaries ?? 'bt2020',
        range: 'tv',
        npl: WHITE_NITS,
      },
    },
  ]);
}
