import { join } from 'node:path';
import type { Demuxer } from '../../../schema/media/demuxers.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { MediaSource } from '../../model/source/media-source.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { completeSource } from '../execute/complete-source.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { LibavFailure } from '../libav/pool.ts';
import { containerName } from '../probe/streams.ts';

/** Formats without a keyframe index whose packets have no timestamps, or ticks as coarse as a frame. */
const untimed: readonly Demuxer[] = ['h264', 'hevc', 'mpegvideo', 'm4v', 'obu', 'mpeg', 'asf', 'dv'];

/** Audio codecs of 3GP files, whose packets hold up to 50 frames. */
const bundled: readonly string[] = ['amr_nb', 'amr_wb'];

/** Formats whose H.264 has an avcC. Others are decoded from their beginning anyway. */
const lengthPrefixed: readonly Demuxer[] = ['mov', 'matroska'];

interface Containing {
  /** The job's directory. */
  directory: string;
  /** Name of the remuxed file. */
  name: string;
  /** Reserves disk space before writing. Throws `out_of_disk`. */
  expect?: (bytes: number) => Promise<void>;
  signal?: AbortSignal | undefined;
}

/**
 * Returns the source or, if its packets are untimed, the same video and audio remuxed into a container with timestamps and
 * a keyframe index, which every operation then reads. Throws `source_not_media`, or TaskFailure if the source cannot be read.
 */
export async function contained(
  media: Pick<MediaContext, 'libav' | 'log'>,
  source: MediaSource,
  containing: Containing,
): Promise<MediaSource> {
  const { format } = source;
  if (!untimed.includes(format)) return source;
  const made = await remuxed(media, source, containing);
  if ('failure' in made) throw new TaskFailure('source_not_media', unread(format), { cause: made.failure });
  return made;
}

/**
 * Returns the source or, if its packets decode wrongly as they are, the same video and audio remuxed:
 * - with one frame per packet, for older versions of ffmpeg decode only the first frame of an AMR packet;
 * - with the encoder's version at each keyframe where decoders have to know it;
 * - with both fields of a frame in one packet;
 * - with the times of audio packets that state none;
 * - with presentation times where a muxer wrote decoding times in their place.
 */
export async function repacked(
  media: Pick<MediaContext, 'libav' | 'log'>,
  source: MediaSource,
  { audio, video }: Pick<MediaProbe, 'audio' | 'video'>,
  containing: Containing,
): Promise<MediaSource> {
  const bundles = source.format === 'mov' && bundled.includes(audio?.codec ?? '');
  const unnamed = lengthPrefixed.includes(source.format) && video?.needsVersion === true;
  const misstated = video?.singleFields === true || video?.timedByDecoding === true;
  if (source.arrived || !(bundles || unnamed || misstated || audio?.untimed)) return source;
  const made = await remuxed(media, source, containing);
  if ('failure' in made) return source;
  // libav does not see it in packets with both fields.
  const arrived = { format: source.format, bytes: source.bytes, interlaced: video?.interlaced === true };
  return { ...made, arrived };
}

/** The probe of a remuxed source, with the chapters that it had before. */
export function withChapters<P extends MediaProbe>(remuxed: P, before: MediaProbe): P {
  const later = remuxed.origin - before.origin;
  const chapters = before.chapters.map(({ start, end, title }) => ({
    ...{ start: start + later, end: end + later, title },
  }));
  return { ...remuxed, chapters };
}

async function remuxed(
  { libav, log }: Pick<MediaContext, 'libav' | 'log'>,
  source: MediaSource,
  { directory, name, expect, signal }: Containing,
): Promise<MediaSource | { failure: unknown }> {
  const { format, bytes } = source;
  if (!libav) return { failure: undefined };
  await expect?.(bytes);
  const file = join(directory, name);
  try {
    const asked = { kind: 'contain', source: source.parts(), file } as const;
    const made = await libav.ask(asked, { sources: [source], signal });
    return { ...(await completeSource({ path: file, format: made.format })), arrived: { format, bytes } };
  } catch (error) {
    if (!(error instanceof LibavFailure)) throw error;
    log.warn('a source could not be remuxed', { error });
    return { failure: error };
  }
}

const unread = (format: Demuxer) =>
  `The source starts like ${containerName(format)}, but nothing in it can be decoded. Convert it to MP4.`;
