import { open } from 'node:fs/promises';
import type { Warning } from '../../schema/task/task.ts';
import type { MediaSource, SourceParts } from '../model/source/media-source.ts';
import { TaskFailure } from '../model/task-failure.ts';
import { announcedEnd, announcedSeconds } from '../source/announced-end.ts';

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
    const which = sources.length > 1 ? `Source ${index + 1} of ${sources.length}` : 'The source';
    const detail = `${incomplete(which, missing)} Only what it has was used. ${ADVICE}`;
    warnings.push({ code: 'source_truncated', detail });
  }
  return warnings;
}

const incomplete = (which: string, missing: string) =>
  `${which} is incomplete: its header announces at least ${missing}.`;
const ADVICE = 'Check that the whole file was uploaded.';

/** Failures of the service that an incomplete source explains, and of the request or the source that it explains further. */
const explained: readonly unknown[] = ['render_failed', 'output_invalid'];
const explainedFurther: readonly unknown[] = ['source_damaged', 'time_out_of_range'];

/** Names or adds that a source is shorter than its own header says, if that explains a failure. */
export async function ofIncomplete(
  sources: readonly Pick<MediaSource, 'parts'>[],
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof TaskFailure)) return error;
  const { code, message, retryable, sourceIndex: named, cause } = error;
  if (!explained.includes(code) && !explainedFurther.includes(code)) return error;
  for (const [sourceIndex, source] of sources.entries()) {
    if (named !== undefined && named !== sourceIndex) continue;
    const missing = await missingOf(source.parts(), Number.POSITIVE_INFINITY);
    if (missing === null) continue;
    const detail = `${incomplete('The source', missing)} ${ADVICE}`;
    return explained.includes(code)
      ? new TaskFailure('source_truncated', detail, { sourceIndex, retryable: false, cause: error })
      : new TaskFailure(code, `${message} ${detail}`, { sourceIndex, retryable, cause });
  }
  return error;
}

/**
 * What a file announces and what it has; null if it has all of that or does not say.
 * @param duration Seconds that it was found to have; infinite if that is not known.
 */
async function missingOf(
  { path, format, bytes, present }: SourceParts,
  duration: number,
): Promise<string | null> {
  const file = await open(path);
  try {
    const read = async (at: number, length: number) => {
      const wanted = Math.min(length, bytes - at);
      const arrived = present?.every(([from, to]) => at < from || at + wanted > to) !== true;
      if (wanted <= 0 || !arrived) return Buffer.alloc(0);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(wanted), 0, wanted, at);
      return buffer.subarray(0, bytesRead);
    };
    const end = await announcedEnd(format, bytes, read);
    if (end !== null && end - bytes >= FEWEST_MISSING) return `${end} bytes, but it has ${bytes}`;
    if (format !== 'flac') return null;
    const seconds = announcedSeconds(await read(0, HEAD));
    if (seconds === null || seconds - duration < SHORTEST_MISSING) return null;
    return `${seconds.toFixed(1)} s, but it has ${duration.toFixed(1)} s`;
  } finally {
    await file.close();
  }
}
