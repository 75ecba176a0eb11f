import { MAX_PIXELS } from '../../../schema/api/plans.ts';
import type { Demuxer } from '../../model/demuxers.ts';
import type { MediaSource } from '../../model/media-source.ts';
import { greatest } from '../../model/min-max.ts';
import type { Limits } from '../../model/plan.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { MediaProbe, VideoStream } from '../probe/probe-media.ts';
import { pictureSize } from './image-size.ts';

/** Formats whose first picture a demuxer decodes when it opens them. */
const pictures: readonly Demuxer[] = ['png_pipe', 'jpeg_pipe', 'webp_pipe', 'gif'];

/** Looks at a picture before anything of it is decoded. Throws `source_too_large`. */
export async function admitPicture(source: MediaSource, limits: Limits): Promise<void> {
  if (!pictures.includes(source.format)) return;
  const size = await pictureSize(source.parts().path);
  if (size) admitSize(size, limits);
}

/**
 * Holds what a source says of itself against the plan. What it says may be a lie: decoders refuse what is over MAX_PIXELS,
 * processes have limits of memory, time and file size, and a render that goes on too long is ended.
 * Throws `source_too_large` or `source_too_long`.
 */
export function admit(probe: MediaProbe, limits: Limits): void {
  const { streams } = probe;
  const duration = probe.still ? 0 : probe.duration;
  if (streams.length > limits.source_streams) {
    throw tooLarge(`The source has ${streams.length} streams; your plan allows ${limits.source_streams}.`);
  }
  for (const { video, audio } of streams) {
    if (audio && audio.channels > limits.source_channels) {
      throw tooLarge(
        `The source has ${audio.channels} audio channels; your plan allows ${limits.source_channels}.`,
      );
    }
    if (video) admitSize(video, limits);
  }
  if (duration > limits.source_seconds) {
    const detail = `The source is ${Math.round(duration)} s long; your plan allows ${limits.source_seconds} s.`;
    throw new TaskFailure('source_too_long', detail);
  }
  const largest = greatest(streams.map(({ video }) => (video ? video.width * video.height : 0)));
  if (largest * duration > limits.source_pixel_seconds) {
    throw tooLarge(
      `The source has ${Math.round(largest / 1e4) / 100} megapixels per frame, so it may be at most ${Math.floor(limits.source_pixel_seconds / largest)} s long on your plan; it is ${Math.round(duration)} s long.`,
    );
  }
}

function admitSize({ width, height }: Pick<VideoStream, 'width' | 'height'>, limits: Limits): void {
  const most = Math.min(MAX_PIXELS, limits.source_pixels);
  if (width * height <= most) return;
  const allowed = Math.floor(most / 1e6);
  throw tooLarge(
    `The picture of the source is ${width} × ${height} px; your plan allows ${allowed} megapixels.`,
  );
}

function tooLarge(detail: string): TaskFailure {
  return new TaskFailure('source_too_large', detail);
}
