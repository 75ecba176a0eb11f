import { MAX_PIXELS } from '../../../schema/api/plans.ts';
import type { Demuxer } from '../../../schema/media/demuxers.ts';
import { greatest } from '../../model/numbers/min-max.ts';
import type { Limits } from '../../model/plan.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { MediaSource } from '../../model/source/media-source.ts';
import type { VideoStream } from '../../model/source/video-stream.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { pictureSize } from './image-size.ts';

/** Formats whose demuxer decodes the first picture when it opens the file. */
const pictures: readonly Demuxer[] = ['png_pipe', 'jpeg_pipe', 'webp_pipe', 'gif', 'apng'];

interface Gate {
  code: 'source_too_large' | 'source_too_long';
  /** Why the source is refused; null if it is within `most`. */
  refusal: (probe: MediaProbe, most: number) => string | null;
}

/** Source limits of a plan, in the order in which they are checked. */
export const sourceGate = {
  source_streams: {
    code: 'source_too_large',
    refusal: ({ streams }, most) =>
      streams.length > most ? `The source has ${streams.length} streams; your plan allows ${most}.` : null,
  },
  source_channels: {
    code: 'source_too_large',
    refusal: ({ streams }, most) => {
      const over = streams.find(({ audio }) => audio && audio.channels > most)?.audio;
      return over ? `The source has ${over.channels} audio channels; your plan allows ${most}.` : null;
    },
  },
  source_pixels: {
    code: 'source_too_large',
    refusal: ({ streams }, most) =>
      streams.map(({ video }) => video && sizeRefusal(video, most)).find((detail) => detail !== null) ?? null,
  },
  source_seconds: {
    code: 'source_too_long',
    refusal: (probe, most) => {
      const duration = durationOf(probe);
      return duration > most
        ? `The source is ${Math.round(duration)} s long; your plan allows ${most} s.`
        : null;
    },
  },
  source_pixel_seconds: {
    code: 'source_too_large',
    refusal: (probe, most) => {
      const largest = greatest(probe.streams.map(({ video }) => (video ? video.width * video.height : 0)));
      const duration = durationOf(probe);
      if (largest * duration <= most) return null;
      const megapixels = Math.round(largest / 1e4) / 100;
      return `The source has ${megapixels} megapixels per frame, so it may be at most ${Math.floor(most / largest)} s long on your plan; it is ${Math.round(duration)} s long.`;
    },
  },
} as const satisfies Partial<Record<keyof Limits, Gate>>;

/** Checks a picture's size before anything decodes it. Throws `source_too_large`. */
export async function admitPicture(source: MediaSource, limits: Limits): Promise<void> {
  if (!pictures.includes(source.format)) return;
  const size = await pictureSize(source.parts().path);
  const detail = size && sizeRefusal(size, limits.source_pixels);
  if (detail) throw new TaskFailure('source_too_large', detail);
}

/**
 * Checks a source's header against the plan. A header may lie: decoders refuse pictures above MAX_PIXELS, processes have
 * memory, time and file size limits, and a render that runs too long is stopped.
 * Throws `source_too_large` or `source_too_long`.
 */
export function admit(probe: MediaProbe, limits: Limits): void {
  for (const [limit, { code, refusal }] of Object.entries<Gate>(sourceGate)) {
    const detail = refusal(probe, limits[limit as keyof typeof sourceGate]);
    if (detail !== null) throw new TaskFailure(code, detail);
  }
}

const durationOf = (probe: MediaProbe) => (probe.still ? 0 : probe.duration);

function sizeRefusal({ width, height }: Pick<VideoStream, 'width' | 'height'>, most: number): string | null {
  const allowed = Math.min(MAX_PIXELS, most);
  if (width * height <= allowed) return null;
  return `The picture of the source is ${width} × ${height} px; your plan allows ${Math.floor(allowed / 1e6)} megapixels.`;
}
