import type { ErrorCode } from '../../schema/api/errors.ts';
import type { TaskError } from '../../schema/task/task.ts';
import type { SourceModel, SourcePictures } from './source-model.ts';
import type { Family } from './stated.ts';

/** Containers that Spool says it reads, by the names of ffprobe. */
const READ = new Set([
  ...['mov', 'mp4', 'matroska', 'webm', 'avi', 'flv', 'mpegts', 'mpeg', 'asf', 'mxf', 'dv', 'ivf', 'obu'],
  ...['h264', 'hevc', 'mpegvideo', 'm4v', 'gif', 'png_pipe', 'jpeg_pipe', 'webp_pipe', 'mp3', 'aac', 'wav'],
  ...['flac', 'ogg', 'aiff', 'au', 'caf', 'wv', 'amr', 'ac3', 'eac3'],
]);

const reads = ({ container }: Family) => container.split(',').some((name) => READ.has(name));

const smallestSide = (pictures: SourcePictures | null): number =>
  pictures ? Math.min(pictures.width, pictures.height) : Number.POSITIVE_INFINITY;

/** Codes that are true or false of a source, whatever was asked. */
const truths: Partial<Record<ErrorCode, (source: SourceModel) => boolean>> = {
  source_not_media: ({ family }) => !reads(family),
  source_no_video: ({ pictures }) => pictures === null,
  source_no_audio: ({ sound }) => sound === null,
  source_damaged: ({ clean }) => !clean,
  source_truncated: ({ clean }) => !clean,
  // Half of it is asked for at least. Encoders take no side of less than two pixels, SVT-AV1 none below 64.
  output_too_small: ({ family, pictures }) => smallestSide(pictures) < (family.video === 'av1' ? 128 : 4),
  // Half of the picture, in whole pixels, is asked for.
  crop_out_of_bounds: ({ pictures }) => smallestSide(pictures) < 8,
  // Of /remux: mp4 and Matroska hold these.
  codec_unsupported: ({ family: { video, audio } }) =>
    [video, audio].some(
      (codec) => codec !== null && !['h264', 'hevc', 'av1', 'vp9', 'aac', 'mp3', 'ac3'].includes(codec),
    ),
  // A still picture has one moment.
  time_out_of_range: ({ pictures }) => pictures?.times.length === 1,
  source_too_long: () => true,
  source_too_large: () => true,
};

/**
 * Whether a task was right to fail so. `source`: null where ffmpeg decodes nothing; then the media has to be blamed,
 * never the service.
 */
export function isHonest(
  { code, fault }: Pick<TaskError, 'code' | 'fault'>,
  source: SourceModel | null,
): boolean {
  if (source === null) return fault === 'source';
  return truths[code]?.(source) ?? false;
}
