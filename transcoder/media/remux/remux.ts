import { join } from 'node:path';
import type { Demuxer } from '../../model/demuxers.ts';
import type { MediaSource } from '../../model/media-source.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { completeSource } from '../execute/complete-source.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { EngineFailure } from '../libav/pool.ts';
import { containerName } from '../probe/streams.ts';

/** What has no index of keyframes, and ticks as coarse as a frame or packets without a time. */
const untimed: readonly Demuxer[] = ['h264', 'hevc', 'mpegvideo', 'm4v', 'obu', 'mpeg', 'asf', 'dv'];

interface Containing {
  /** Of the job. */
  directory: string;
  /** Of the file that is made. */
  name: string;
  /** Makes sure that so many more bytes can be written. Throws `out_of_disk`. */
  expect?: (bytes: number) => Promise<void>;
  signal?: AbortSignal | undefined;
}

/**
 * The source, or where its packets are untimed the same pictures and sound in a container that tells times and keyframes,
 * which every operation then reads. Throws `source_not_media`, or TaskFailure where the source cannot be read.
 */
export async function contained(
  { engine, log }: Pick<MediaContext, 'engine' | 'log'>,
  source: MediaSource,
  { directory, name, expect, signal }: Containing,
): Promise<MediaSource> {
  const { format, bytes } = source;
  if (!untimed.includes(format)) return source;
  if (!engine) throw new TaskFailure('source_not_media', unread(format));
  await expect?.(bytes);
  const file = join(directory, name);
  try {
    const asked = { kind: 'contain', source: source.parts(), file } as const;
    const made = await engine.ask(asked, { sources: [source], signal });
    return { ...(await completeSource({ path: file, format: made.format })), arrived: { format, bytes } };
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    log.warn('a source could not be put into a container', { error });
    throw new TaskFailure('source_not_media', unread(format), { cause: error });
  }
}

const unread = (format: Demuxer) =>
  `The source starts like ${containerName(format)}, but nothing in it can be decoded. Convert it to MP4.`;
