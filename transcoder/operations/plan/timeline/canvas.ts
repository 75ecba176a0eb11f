import type { Warning } from '../../../../schema/task/task.ts';
import type { PlanRequest } from '../../../model/plan.ts';
import type { VideoStream } from '../../../model/source/video-stream.ts';
import { interlacedSource } from '../deinterlace.ts';
import { askedSize, displaySize, evenSize, type Size } from '../geometry.ts';
import { checkSide, shown } from '../require-streams.ts';
import { alphaDropped, rateOfClips, videoTarget } from '../video-target.ts';
import type { Canvas, Look } from './parts.ts';
import { clipsIn, type Timeline } from './timeline.ts';

/** The requested size, otherwise that of the first clip. */
export function sizeOf(input: Look, video: VideoStream): Size {
  const display = displaySize(video);
  return askedSize(display, input) ?? evenSize(display);
}

/** @param videos Of the clips; the first one gives what the request leaves open. */
export function canvasOf(
  { input, limits, capabilities }: PlanRequest<Look>,
  videos: readonly [VideoStream, ...VideoStream[]],
  fps: number,
  warnings: Warning[],
): Canvas {
  const [video] = videos;
  const size = sizeOf(input, video);
  checkSide(size, limits.output_side_px);
  const asked = { ...input, fps };
  const target = videoTarget(video, asked, size, capabilities);
  warnings.push(...target.warnings.filter(({ code }) => code === 'hdr_metadata_dropped'));
  const hdr = video.hdr && target.before.length === 0;
  const mapped = videos.filter((one) => one.hdr).length;
  if (!hdr && mapped > 0) {
    const detail = `The output is not HDR; ${mapped === 1 ? '1 HDR clip was' : `${mapped} HDR clips were`} tone-mapped to BT.709.`;
    warnings.push({ code: 'hdr_tonemapped', detail });
  }
  const rateOf = rateOfClips(videos, target.codec, asked, size);
  return { size, target, rateOf, hdr, input, capabilities, transitions: capabilities.transitions };
}

/** What happens to clips whatever they are joined with. */
export function clipWarnings(timeline: Timeline): Warning[] {
  const clips = clipsIn(timeline);
  const fields = clips.find(({ video }) => video.interlaced);
  const detail = `A clip has a variable frame rate; the output has a constant ${shown(timeline.rate.fps)} fps.`;
  return [
    ...(clips.some(({ video }) => video.pace === 'variable')
      ? [{ code: 'source_vfr' as const, detail }]
      : []),
    ...(fields ? interlacedSource(fields.video) : []),
    ...(clips.some(({ video }) => video.alpha) ? [alphaDropped('the result')] : []),
  ];
}
