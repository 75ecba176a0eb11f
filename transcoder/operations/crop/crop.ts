import type { Warning } from '../../../schema/task/task.ts';
import type { Capabilities } from '../../model/capabilities.ts';
import type { VideoEncoding } from '../../model/encoding.ts';
import type { Place, Planner } from '../../model/plan.ts';
import type { VideoStream } from '../../model/source/video-stream.ts';
import type { Chain, Filter } from '../../model/steps.ts';
import { OPEN } from '../plan/audio-target.ts';
import { onBlurred } from '../plan/blurred-background.ts';
import { lookAt } from '../plan/camera/look.ts';
import { onColor } from '../plan/colored-bars.ts';
import { wholeSound } from '../plan/compile/spliced-sound.ts';
import { deinterlacing, FIELD_LINES, isFieldwise } from '../plan/deinterlace.ts';
import {
  askedSize,
  cropped,
  displaySize,
  evenNear,
  fitted,
  fittedWithin,
  type Rectangle,
  type Size,
  scaled,
  shareOf,
  upright,
  WHOLE,
  withoutOdd,
} from '../plan/geometry.ts';
import { lastFrameAnalyses, planWhole, wholeVideo } from '../plan/render-whole.ts';
import { checkSide, lengthOf, movingOf, only } from '../plan/require-streams.ts';
import { keepTracks, type SourceProbes, textAnalyses } from '../plan/tracks/keep-tracks.ts';
import { chromaIn, videoTarget } from '../plan/video-target.ts';
import { movingCrop, stillViews } from './moving-crop.ts';
import { type CropInput, fixedAnchor, kept, viewOf } from './view.ts';

export const crop: Planner<CropInput> = {
  analyses: (input, probes) => {
    const probe = only(probes);
    const { video } = movingOf(probe);
    const natural = kept(input, video, null);
    const looks = input.anchor === 'auto' || input.follow === 'subject';
    return [
      ...textAnalyses(input.tracks, probe),
      ...lastFrameAnalyses(probe),
      ...(looks ? [lookAt(0, displaySize(video), natural, null)] : []),
    ];
  },

  audioTrack: ({ audio_track }) => audio_track ?? null,

  deinterlacing: (input, video) => deinterlacing(input, video, () => mixedBy(input, video)),

  plan: ({ input, probes, facts, limits, capabilities }) => {
    const probe = only(probes);
    const { video } = movingOf(probe);
    const warnings: Warning[] = [];
    const view = viewOf(input, video, facts.subject, lengthOf(probe));
    const { rectangle, path, focus } = view;
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
            ...(path ? [movingCrop(rectangle, path, video)] : cropFilter(rectangle, video)),
          ],
          to: ['kept'],
        },
        ...compose(input, rectangle, canvas, { encoding: target.encoding, capabilities }),
      ],
      sound: probe.audio && { stream: probe.audio, asked: OPEN, before: [] },
      format: input.format,
      frames: video.pace === 'constant' ? video.frames : null,
      place: placeOf(input, rectangle, canvas, video),
      still:
        path === null
          ? undefined
          : stillViews(rectangle, path, video, lengthOf(probe)).map(({ from, to, kept }) => ({
              ...{ from, to, place: placeOf(input, kept, canvas, video) },
            })),
      data: {
        rectangle: scales(input) ? rectangle : { ...rectangle, ...canvas },
        ...(focus ? { focus } : {}),
        ...(path ? { path } : {}),
      },
      warnings,
      packets: facts.packets,
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
  const full = video.bitDepth > 8 && x % 2 === 1 && chromaIn(video)[0] === 2;
  const format = { name: 'format', options: { pix_fmts: `yuv444p${video.bitDepth}le` } };
  return [...(full ? [format] : []), cropped(rectangle)];
}

/** Why fields cannot be kept; null if they can. */
function mixedBy(input: CropInput, video: VideoStream): string | null {
  if (input.fill !== 'crop') return 'the picture is placed on a background';
  if (input.follow === 'subject' || input.path) return 'the crop moves';
  const natural = kept(input, { ...video, deinterlace: 'never' }, null);
  const asked = askedSize(natural, { width: input.output_width, height: input.output_height });
  return !asked || isFieldwise(asked.height)
    ? null
    : `an output height of ${asked.height} px is not a multiple of ${FIELD_LINES}`;
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
    const size = withoutOdd(rectangle);
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
  const picture = displaySize(video);
  if (input.fill === 'crop') {
    return { of: shareOf(scales(input) ? kept : { ...kept, ...canvas }, picture), at: WHOLE };
  }
  return { of: shareOf(kept, picture), at: shareOf(insideOf(input, kept, canvas), canvas) };
}

const insideOf = (input: CropInput, rectangle: Size, canvas: Size): Rectangle =>
  fittedWithin(rectangle, canvas, fixedAnchor(input));

function around(ratio: string, picture: Size): Size {
  const [w = 1, h = 1] = ratio.split(':').map(Number);
  const scale = Math.max(picture.width / w, picture.height / h);
  return { width: w * scale, height: h * scale };
}

/** Places the picture labeled `kept` on the canvas, as `v`. */
function compose(
  input: CropInput,
  rectangle: Rectangle,
  canvas: Size,
  made: { encoding: VideoEncoding; capabilities: Capabilities },
): Chain[] {
  if (input.fill === 'crop') {
    const even = cropped({ x: 0, y: 0, ...canvas });
    const same = rectangle.width === canvas.width && rectangle.height === canvas.height;
    return [{ from: ['kept'], filters: same ? [] : scales(input) ? scaled(canvas) : [even], to: ['v'] }];
  }
  const inside = insideOf(input, rectangle, canvas);
  if (input.fill === 'pad') {
    const { background } = input;
    return onColor({ from: 'kept', to: 'v' }, { canvas, place: inside, background, ...made });
  }
  const { pixelFormat } = made.encoding;
  return [
    { from: ['kept'], filters: [{ name: 'format', options: { pix_fmts: pixelFormat } }], to: ['whole'] },
    ...onBlurred({ from: 'whole', to: 'v' }, rectangle, canvas, inside, pixelFormat),
  ];
}
