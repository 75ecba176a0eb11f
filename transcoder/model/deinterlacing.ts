import type { Deinterlace } from '../../schema/operations/fields/deinterlace.ts';
import type { MediaProbe } from './source/media-probe.ts';
import type { StatedVideo } from './source/video-stream.ts';
import type { FieldOrder } from './splice.ts';

/** What becomes of the fields of a source that is re-encoded. */
export interface Deinterlacing {
  mode: Deinterlace;
  /** Why fields cannot be kept, as the rest of a sentence; null if they can. */
  lost: string | null;
}

/** A source as planners see it: with what the request says of its fields. */
export function asRequested(probe: MediaProbe, { mode, lost }: Deinterlacing): MediaProbe {
  const { video } = probe;
  if (!video) return probe;
  if (mode !== 'never' || !video.interlaced || lost === null)
    return { ...probe, video: { ...video, deinterlace: mode } };
  return { ...probe, video: { ...video, deinterlace: 'auto', fieldsLost: lost } };
}

/** The order of the fields; null for whole frames. */
export const fieldOrder = ({ interlaced, bottomFirst }: StatedVideo): FieldOrder | null =>
  interlaced ? (bottomFirst ? 'bottom' : 'top') : null;
