import type { Restart } from '../model/joined-clocks.ts';
import type { SourceFile } from '../model/source/media-source.ts';
import { mayBeJoined } from '../model/source/video-stream.ts';
import { clockArguments } from './inspect.ts';
import { type Programs, run } from './run.ts';

/** Longest time to read a source. */
const LOOK_SECONDS = 60;

/** Seconds that a clock may step back within one recording. */
const STEP_BACK = 0.5;

/**
 * Where the clock of a source first begins again, as of recordings that were joined byte by byte; null if it does not.
 * @param least Seconds that it has to step back.
 */
export async function restartOf(
  programs: Programs,
  file: SourceFile,
  signal: AbortSignal | undefined,
  least = STEP_BACK,
): Promise<Restart | null> {
  if (!mayBeJoined(file.format)) return null;
  const how = { signal, reads: [file.path], timeoutSeconds: LOOK_SECONDS };
  const { stdout } = await run(programs, 'ffprobe', clockArguments(file), how);
  return restartIn(stdout, least);
}

/** @param listed Stream and decoding time of a packet a line. */
function restartIn(listed: string, least: number): Restart | null {
  const last = new Map<string, number>();
  for (const [, stream = '', text = ''] of listed.matchAll(/^(\d+),(-?[\d.]+)/gm)) {
    const [at, before] = [Number(text), last.get(stream)];
    if (before !== undefined && at < before - least) return { before, at };
    last.set(stream, at);
  }
  return null;
}
