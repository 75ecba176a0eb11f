import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { Arrived, MediaSource } from '../../model/source/media-source.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { completeSource } from '../execute/complete-source.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { LibavFailure } from '../libav/pool.ts';
import type { Contained, ContainRequest } from '../libav/protocol.ts';

export interface Containing {
  /** The job's directory. */
  directory: string;
  /** Name of the remuxed file. */
  name: string;
  /** Reserves disk space before writing. Throws `out_of_disk`. */
  expect?: (bytes: number) => Promise<void>;
  signal?: AbortSignal | undefined;
}

/** The source itself or, if libav would read it wrongly, one that is rewritten as its request says. */
export async function consistent(
  { libav, log }: Pick<MediaContext, 'libav' | 'log'>,
  source: MediaSource,
  { directory, name, expect, signal }: Containing,
): Promise<MediaSource> {
  if (!libav) return source;
  const about = { kind: 'consistent', source: source.parts() } as const;
  const how = { sources: [source], signal };
  try {
    if (!(await libav.ask({ ...about, file: null }, how))) return source;
    const path = join(directory, name);
    await expect?.(source.bytes);
    await libav.ask({ ...about, file: path }, how);
    return await completeSource({ path, format: source.format });
  } catch (error) {
    if (!(error instanceof LibavFailure)) throw error;
    log.warn('libav could not see whether a source is consistent', { error });
    return source;
  }
}

/** The source remuxed, or why it could not be. Throws `out_of_disk` where that is not only to make it faster to read. */
export async function remuxed(
  media: Pick<MediaContext, 'libav' | 'log'>,
  source: MediaSource,
  how: Containing & How,
): Promise<Remuxed | { failure: unknown }> {
  const made = await remuxedPart(media, source, { ...how, span: null });
  return 'failure' in made ? made : made.source;
}

type How = Pick<ContainRequest, 'stated' | 'fromKey' | 'decoded'>;
export type Remuxed = MediaSource & { arrived: Arrived };
/** When the part begins and its keyframes are shown, in seconds on the clock of the source. */
type RemuxedPart = Pick<Contained, 'start' | 'keys'> & { source: Remuxed };

/** The same for the bytes of a span; null for all. */
export async function remuxedPart(
  { libav, log }: Pick<MediaContext, 'libav' | 'log'>,
  source: MediaSource,
  { directory, name, expect, signal, ...how }: Containing & How & Pick<ContainRequest, 'span'>,
): Promise<RemuxedPart | { failure: unknown }> {
  const { format, bytes } = source;
  if (!libav) return { failure: undefined };
  const path = join(directory, name);
  try {
    // A part is written as it is, too.
    await expect?.(how.span ? 2 * (how.span[1] - how.span[0]) : bytes);
    const asked = { kind: 'contain', source: source.parts(), file: path, ...how } as const;
    const { decoded, start, keys, ...made } = await libav.ask(asked, { sources: [source], signal });
    const arrived = { format, bytes, decoded };
    const file = await completeSource({ path, format: made.format });
    return { source: { ...file, arrived }, start, keys };
  } catch (error) {
    const unneeded = how.stated && error instanceof TaskFailure && error.code === 'out_of_disk';
    if (!(error instanceof LibavFailure) && !unneeded) throw error;
    log.warn('a source could not be remuxed', { error });
    await rm(path, { force: true });
    return { failure: error };
  }
}

/** The probe of a remuxed source, with the container and chapters that it had before, and the tracks that it has no more. */
export function asBefore<P extends MediaProbe>(remuxed: P, before: MediaProbe): P {
  const later = remuxed.origin - before.origin;
  const chapters = before.chapters.map(({ start, end, title }) => ({
    ...{ start: start + later, end: end + later, title },
  }));
  const lost = before.streams.filter(({ video, audio }) => video === null && audio === null);
  return { ...remuxed, container: before.container, chapters, ...(lost.length > 0 ? { lost } : {}) };
}
