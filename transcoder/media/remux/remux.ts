import { join } from 'node:path';
import type { Demuxer } from '../../model/demuxers.ts';
import type { MediaSource } from '../../model/media-source.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { completeSource } from '../execute/complete-source.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { LibavFailure } from '../libav/pool.ts';
import { containerName } from '../probe/streams.ts';

/** Formats without a keyframe index whose packets have no timestamps, or ticks as coarse as a frame. */
const untimed: readonly Demuxer[] = ['h264', 'hevc', 'mpegvideo', 'm4v', 'obu', 'mpeg', 'asf', 'dv'];

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
  { libav, log }: Pick<MediaContext, 'libav' | 'log'>,
  source: MediaSource,
  { directory, name, expect, signal }: Containing,
): Promise<MediaSource> {
  const { format, bytes } = source;
  if (!untimed.includes(format)) return source;
  if (!libav) throw new TaskFailure('source_not_media', unread(format));
  await expect?.(bytes);
  const file = join(directory, name);
  try {
    const asked = { kind: 'contain', source: source.parts(), file } as const;
    const made = await libav.ask(asked, { sources: [source], signal });
    return { ...(await completeSource({ path: file, format: made.format })), arrived: { format, bytes } };
  } catch (error) {
    if (!(error instanceof LibavFailure)) throw error;
    log.warn('a source could not be remuxed', { error });
    throw new TaskFailure('source_not_media', unread(format), { cause: error });
  }
}

const unread = (format: Demuxer) =>
  `The source starts like ${containerName(format)}, but nothing in it can be decoded. Convert it to MP4.`;
