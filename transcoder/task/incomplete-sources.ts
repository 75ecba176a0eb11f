import { open } from 'node:fs/promises';
import type { Warning } from '../../schema/task/task.ts';
import type { MediaSource, SourceParts } from '../model/source/media-source.ts';
import { TaskFailure } from '../model/task-failure.ts';
import { announcedEnd, announcedSeconds, type ReadArrived } from '../source/announced-end.ts';
import { followingFile } from '../source/following-file.ts';
import { TRAILER } from '../source/picture/gif.ts';

/** Fewer missing bytes are padding that a program left out. */
const FEWEST_MISSING = 1024;
/** Seconds that a last frame may lack. */
const SHORTEST_MISSING = 0.5;
const HEAD = 64 * 1024;

/** A source as it was opened, and the seconds that it was found to have; null for a picture. */
interface Opened {
  source: Pick<MediaSource, 'parts'>;
  duration: number | null;
}

/**
 * A warning for each source that is shorter than its own header says: half of an upload can be played like a whole one in most formats.
 */
export async function incompleteSources(sources: readonly Opened[]): Promise<Warning[]> {
  const warnings: Warning[] = [];
  for (const [index, { source, duration }] of sources.entries()) {
    const missing = duration === null ? null : await missingOf(source.parts(), duration);
    if (missing === null) continue;
    const detail = `${incomplete(numbered(index, sources), missing)} Only what it has was used. ${ADVICE}`;
    warnings.push({ code: 'source_truncated', detail });
  }
  return warnings;
}

const incomplete = (which: string, how: string) => `${which} is incomplete: ${how}.`;
const announced = (least: string, found: string) =>
  `its header announces at least ${least}, but it has ${found}`;
const ADVICE = 'Check that the whole file was uploaded.';

/** A warning for each source that consists of several files, of which players show the first one alone. */
export async function joinedSources(sources: readonly Pick<MediaSource, 'parts'>[]): Promise<Warning[]> {
  const warnings: Warning[] = [];
  for (const [index, source] of sources.entries()) {
    const at = await secondFileOf(source.parts());
    if (at !== null) warnings.push({ code: 'source_joined', detail: joined(numbered(index, sources), at) });
  }
  return warnings;
}

const joined = (which: string, at: number) =>
  `${which} consists of several files, one after another; the second one begins at byte ${at}. As in players, only the first one is used. Send each as a file of its own; /merge_urls joins them.`;

export const numbered = (index: number, { length }: readonly unknown[]): string =>
  length > 1 ? `Source ${index + 1} of ${length}` : 'The source';

/** Failures of the service that an incomplete or joined source explains, and of the request or the source that it explains further. */
const explained: readonly unknown[] = ['render_failed', 'output_invalid'];
const explainedFurther: readonly unknown[] = ['source_damaged', 'time_out_of_range'];

/** Names or adds that a source is shorter than it says, or consists of several files, if that explains a failure. */
export async function ofIncomplete(
  sources: readonly Pick<MediaSource, 'parts'>[],
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof TaskFailure)) return error;
  const { code, message, retryable, sourceIndex: named, cause } = error;
  if (!explained.includes(code) && !explainedFurther.includes(code)) return error;
  for (const [sourceIndex, source] of sources.entries()) {
    if (named !== undefined && named !== sourceIndex) continue;
    const fault = await faultOf(source.parts());
    if (fault === null) continue;
    const { detail } = fault;
    return explained.includes(code)
      ? new TaskFailure(fault.code, detail, { sourceIndex, retryable: false, cause: error })
      : new TaskFailure(code, `${message} ${detail}`, { sourceIndex, retryable, cause });
  }
  return error;
}

async function faultOf(
  source: SourceParts,
): Promise<{ code: 'source_truncated' | 'source_damaged'; detail: string } | null> {
  const missing = await missingOf(source, Number.POSITIVE_INFINITY);
  if (missing !== null)
    return { code: 'source_truncated', detail: `${incomplete('The source', missing)} ${ADVICE}` };
  const at = await secondFileOf(source);
  return at === null ? null : { code: 'source_damaged', detail: joined('The source', at) };
}

const secondFileOf = (source: SourceParts): Promise<number | null> =>
  reading(source, (read) => followingFile(source.format, source.bytes, read));

/**
 * What a file announces and what it has, as a clause; null if it has all of that or does not say.
 * @param duration Seconds that it was found to have; infinite if that is not known.
 */
const missingOf = (source: SourceParts, duration: number): Promise<string | null> =>
  reading(source, async (read) => {
    const { format, bytes } = source;
    const end = await announcedEnd(format, bytes, read);
    if (end !== null && end - bytes >= FEWEST_MISSING) return announced(`${end} bytes`, `${bytes}`);
    if (format === 'gif')
      return (await read(bytes - 1, 1))[0] === TRAILER ? null : 'it ends in the middle of its data';
    if (format !== 'flac') return null;
    const seconds = announcedSeconds(await read(0, HEAD));
    if (seconds === null || seconds - duration < SHORTEST_MISSING) return null;
    return announced(`${seconds.toFixed(1)} s`, `${duration.toFixed(1)} s`);
  });

/** Reads what has arrived of a source. */
async function reading<T>(
  { path, bytes, present }: SourceParts,
  work: (read: ReadArrived) => Promise<T>,
): Promise<T> {
  await using file = await open(path);
  return await work(async (at, length) => {
    const wanted = Math.min(length, bytes - at);
    const arrived = present?.every(([from, to]) => at < from || at + wanted > to) !== true;
    if (wanted <= 0 || !arrived) return Buffer.alloc(0);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(wanted), 0, wanted, at);
    return buffer.subarray(0, bytesRead);
  });
}
