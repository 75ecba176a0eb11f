import type { Deinterlace } from '../../../schema/operations/fields/deinterlace.ts';
import type { VideoCodec, VideoContainer } from '../../../schema/operations/fields/fields.ts';
import type { Warning } from '../../../schema/task/task.ts';
import { type Deinterlacing, fieldOrder } from '../../model/deinterlacing.ts';
import { isStoredUpright, type StatedVideo, type VideoStream } from '../../model/source/video-stream.ts';
import type { FieldOrder } from '../../model/splice.ts';
import type { Chain, Filter } from '../../model/steps.ts';
import { codecOf } from './output-codec.ts';

/**
 * Deinterlaces first of all, because scaling or rotating would mix the two fields. Outputs one frame per frame. Frames that are not
 * flagged as interlaced are unchanged, unless the request wants all of them deinterlaced.
 */
export function deinterlaced({ interlaced, deinterlace }: StatedVideo): Filter[] {
  if (deinterlace === 'always') return [bwdif('all')];
  return interlaced && deinterlace === 'auto' ? [bwdif('interlaced')] : [];
}

const bwdif = (deint: 'all' | 'interlaced'): Filter => ({
  name: 'bwdif',
  options: { mode: 'send_frame', deint },
});

export function interlacedSource({ interlaced, deinterlace, fieldsLost }: StatedVideo): Warning[] {
  if (!interlaced || deinterlace === 'never') return [];
  const why = fieldsLost === undefined ? '' : `, because ${fieldsLost}`;
  const detail = `The source is interlaced. Re-encoded parts were deinterlaced at the same frame rate${why}.`;
  return [{ code: 'source_interlaced', detail }];
}

/** The order in which fields are encoded; null if frames are deinterlaced or have no fields. */
export const encodedFields = (video: StatedVideo): FieldOrder | null =>
  video.deinterlace === 'never' ? fieldOrder(video) : null;

/** Height of a frame, and position of a part of it, in lines: a chroma line of a field covers four. */
export const FIELD_LINES = 4;

export const isFieldwise = (...lines: number[]): boolean => lines.every((line) => line % FIELD_LINES === 0);

/** Scales the two fields of each frame separately. */
export const scaledFieldwise = (filters: readonly Filter[]): Filter[] =>
  filters.map((filter) =>
    filter.name === 'scale' ? { ...filter, options: { ...filter.options, interl: 1 } } : filter,
  );

export const chainsFieldwise = (chains: readonly Chain[]): Chain[] =>
  chains.map((chain) => ({ ...chain, filters: scaledFieldwise(chain.filters) }));

interface Asked {
  deinterlace: Deinterlace;
  format?: VideoContainer;
  codec: 'auto' | VideoCodec;
}

/** What the request says of the fields of a source. @param mixedBy Why its operation cannot keep them; see Deinterlacing. */
export function deinterlacing(
  { deinterlace, format = 'mp4', codec }: Asked,
  video: VideoStream,
  mixedBy: () => string | null = () => null,
): Deinterlacing {
  if (deinterlace !== 'never' || !video.interlaced) return { mode: deinterlace, lost: null };
  return { mode: deinterlace, lost: mixedBy() ?? lostBy(codecOf(video, format, codec), video) };
}

function lostBy(codec: VideoCodec, video: VideoStream): string | null {
  const { height, hdr } = video;
  if (codec !== 'h264') return `${codec} is encoded in whole frames here; h264 is not`;
  if (!isStoredUpright(video)) return 'the picture is turned or mirrored';
  if (hdr) return 'the picture is HDR';
  return isFieldwise(height) ? null : `a height of ${height} px is not a multiple of ${FIELD_LINES}`;
}
