import type { OperationInput } from '../../../schema/operations/index.ts';
import type { Warning } from '../../../schema/task/task.ts';
import type { Place, Planner } from '../../model/plan.ts';
import type { Chain, Filter } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { VideoStream } from '../../model/video-stream.ts';
import { onBlurred } from '../plan/blurred-background.ts';
import { deinterlacing, encodedFields, FIELD_LINES, isFieldwise } from '../plan/deinterlace.ts';
import {
  anchored,
  askedSize,
  cropped,
  evenNear,
  fitted,
  padded,
  type Rectangle,
  type Size,
  scaled,
  shareOf,
  upright,
  WHOLE,
} from '../plan/geometry.ts';
import { planWhole, wholeVideo } from '../plan/render-whole.ts';
import { checkSide, movingOf, only } from '../plan/require-streams.ts';
import { wholeSound } from '../plan/spliced-sound.ts';
import { keepTracks, type SourceProbes, textAnalyses } from '../plan/tracks/keep-tracks.ts';
import { videoTarget } from '../plan/video-target.ts';

type CropInput = OperationInput<'crop'>;

export const crop: Planner<OperationInput<'crop'>> = {
  analyses: (input, probes) => {
    const probe = only(probes);
    kept(input, movingOf(probe).video);
    return textAnalyses(input.tracks, probe);
  },

  audioTrack: ({ audio_track }) => audio_track ?? null,

  deinterlacing: (input, video) => deinterlacing(input, video, () => mixedBy(input, video)),

  plan: ({ input, probes, facts, limits, capabilities }) => {
    const probe = only(probes);
    const { video } = movingOf(probe);
    const warnings: Warning[] = [];
    const rectangle = kept(input, video);
    const canvas = canvasOf(input, rectangle, limits.output_side_px, warnings);
    checkSide(canvas, limits.output_side_px);
    const target = videoTarget(video, input, canvas, capabilities);
    warnings.push(...target.warnings);
    const plan = planWhole({
      probe,
      video,
      target,
      size: canvas,
      chains: [
        {
          from: [`0:${video.index}`],
          filters: [
            ...wholeVideo(probe, video),
            ...target.before,
            ...upright(video),
            ...cropFilter(rectangle, video),
          ],
          to: ['kept'],
        },
        ...compose(input, rectangle, canvas, target.encoding.pixelFormat),
      ],
      sound: probe.audio ? { stream: probe.audio, asked: { codec: 'auto', kbps: null }, before: [] } : null,
      format: input.format,
      frames: video.pace === 'constant' ? video.frames : null,
      place: placeOf(input, rectangle, canvas, video),
      data: { rectangle: scales(input) ? rectangle : { ...rectangle, ...canvas } },
      warnings,
    });
    const soundOf = ([other]: SourceProbes) => wholeSound(other, input.format);
    return keepTracks(plan, { ...input, probes: [probe], facts, soundOf });
  },
};

function cropFilter(rectangle: Rectangle, video: VideoStream): Filter[] {
  const { x, y, width, height } = rectangle;
  const whole = x === 0 && y === 0 && width === video.displayWidth && height === video.displayHeight;
  if (whole) return [];
  // ffmpeg halves the byte offset of chroma, which splits a 2-byte sample if the offset is odd.
  const full = video.bitDepth > 8 && x % 2 === 1 && video.chroma[0] === 2;
  const format = { name: 'format', options: { pix_fmts: `yuv444p${video.bitDepth}le` } };
  return [...(full ? [format] : []), cropped(rectangle)];
}

/** Why fields cannot be kept; null if they can. */
function mixedBy(input: CropInput, video: VideoStream): string | null {
  if (input.fill !== 'crop') return 'the picture is placed on a background';
  const natural = kept(input, { ...video, deinterlace: 'never' });
  const asked = askedSize(natural, { width: input.output_width, height: input.output_height });
  return !asked || isFieldwise(asked.height)
    ? null
    : `an output height of ${asked.height} px is not a multiple of ${FIELD_LINES}`;
}

/** The part of the displayed picture to keep, at whole lines of both fields if they are kept. Throws `crop_out_of_bounds`. */
function kept(input: CropInput, video: VideoStream): Rectangle {
  const rectangle = keptFrame(input, video);
  if (!encodedFields(video)) return rectangle;
  const y = rectangle.y - (rectangle.y % FIELD_LINES);
  const bottom = rectangle.y + rectangle.height;
  return { ...rectangle, y, height: Math.max(FIELD_LINES, bottom - (bottom % FIELD_LINES) - y) };
}

function keptFrame(input: CropInput, video: VideoStream): Rectangle {
  const whole = { width: video.displayWidth, height: video.displayHeight };
  if (input.aspect_ratio !== undefined) {
    if (input.fill !== 'crop') return { x: 0, y: 0, ...whole };
    const [w = 1, h = 1] = input.aspect_ratio.split(':').map(Number);
    const inside = fitted({ width: w, height: h }, whole, 'inside');
    const size = {
      width: Math.min(inside.width, whole.width),
      height: Math.min(inside.height, whole.height),
    };
    return { ...anchored(input.anchor, whole, size), ...size };
  }
  const pixels = (value: number | string | undefined, side: number, unsaid: number) =>
    value === undefined
      ? unsaid
      : typeof value === 'number'
        ? value
        : Math.round((Number.parseFloat(value) / 100) * side);
  const x = pixels(input.x, whole.width, 0);
  const y = pixels(input.y, whole.height, 0);
  const width = pixels(input.width, whole.width, whole.width - x);
  const height = pixels(input.height, whole.height, whole.height - y);
  if (width < 2 || height < 2 || x + width > whole.width || y + height > whole.height) {
    const detail = `The rectangle is ${width} × ${height} px at x ${x}, y ${y}, but the displayed picture is only ${whole.width} × ${whole.height} px.`;
    throw new TaskFailure('crop_out_of_bounds', detail, { sourceIndex: 0 });
  }
  return { x, y, width, height };
}

/** Whether the output size differs from the cropped rectangle. */
function scales(input: CropInput): boolean {
  return input.fill !== 'crop' || input.output_width !== undefined || input.output_height !== undefined;
}

/** The output size. A canvas that is not given in pixels is limited to what the account's plan allows. */
function canvasOf(input: CropInput, rectangle: Rectangle, most: number, warnings: Warning[]): Size {
  const natural = input.fill === 'crop' ? rectangle : around(input.aspect_ratio ?? '1:1', rectangle);
  const asked = askedSize(natural, { width: input.output_width, height: input.output_height });
  if (asked) return asked;
  if (input.fill === 'crop') {
    const size = {
      width: rectangle.width - (rectangle.width % 2),
      height: rectangle.height - (rectangle.height % 2),
    };
    if (size.width !== rectangle.width || size.height !== rectangle.height) {
      const detail = `${rectangle.width} × ${rectangle.height} px was reduced to ${size.width} × ${size.height} px: video needs even sides.`;
      warnings.push({ code: 'size_reduced', detail });
    }
    return size;
  }
  const longest = Math.max(natural.width, natural.height);
  if (longest <= most) return { width: evenNear(natural.width), height: evenNear(natural.height) };
  const size = fitted(natural, { width: most, height: most }, 'inside');
  const detail = `The picture was reduced from ${evenNear(natural.width)} × ${evenNear(natural.height)} px to ${size.width} × ${size.height} px, the limit of your plan.`;
  warnings.push({ code: 'size_reduced', detail });
  return size;
}

function placeOf(input: CropInput, kept: Rectangle, canvas: Size, video: VideoStream): Place {
  const picture = { width: video.displayWidth, height: video.displayHeight };
  if (input.fill === 'crop') {
    return { of: shareOf(scales(input) ? kept : { ...kept, ...canvas }, picture), at: WHOLE };
  }
  return { of: shareOf(kept, picture), at: shareOf(insideOf(input, kept, canvas), canvas) };
}

function insideOf(input: CropInput, rectangle: Size, canvas: Size): Rectangle {
  const within = fitted(rectangle, canvas, 'inside');
  const inside = {
    width: Math.min(within.width, canvas.width),
    height: Math.min(within.height, canvas.height),
  };
  return { ...anchored(input.anchor, canvas, inside), ...inside };
}

function around(ratio: string, picture: Size): Size {
  const [w = 1, h = 1] = ratio.split(':').map(Number);
  const scale = Math.max(picture.width / w, picture.height / h);
  return { width: w * scale, height: h * scale };
}

/** Places the picture labelled `kept` on the canvas, as `v`. */
function compose(input: CropInput, rectangle: Rectangle, canvas: Size, pixelFormat: string): Chain[] {
  if (input.fill === 'crop') {
    const even = cropped({ x: 0, y: 0, ...canvas });
    const same = rectangle.width === canvas.width && rectangle.height === canvas.height;
    return [{ from: ['kept'], filters: same ? [] : scales(input) ? scaled(canvas) : [even], to: ['v'] }];
  }
  const inside = insideOf(input, rectangle, canvas);
  if (input.fill === 'pad') {
    return [
      { from: ['kept'], filters: [...scaled(inside), padded(canvas, inside, input.background)], to: ['v'] },
    ];
  }
  return [
    { from: ['kept'], filters: [{ name: 'format', options: { pix_fmts: pixelFormat } }], to: ['whole'] },
    ...onBlurred({ from: 'whole', to: 'v' }, rectangle, canvas, inside, pixelFormat),
  ];
}
