import { decodersLack } from '../../ffmpeg/diagnose.ts';
import { firstFrameDecoded } from '../../ffmpeg/inspect.ts';
import { run } from '../../ffmpeg/run.ts';
import type { MediaSource, SourceFile } from '../../model/source/media-source.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { statedOf } from '../probe/probe-media.ts';

const LOOK_SECONDS = 60;

export interface Undecodable {
  code: 'source_not_media' | 'source_damaged';
  /** Names the codec. */
  detail: string;
}

/**
 * Finds the chosen stream of which nothing decodes: an edit list hides all of it, its codec has no decoder, the decoder refuses it, or every
 * packet fails.
 */
export async function undecodable(
  ctx: MediaContext,
  source: MediaSource,
  file: SourceFile,
  signal: AbortSignal,
): Promise<Undecodable | null> {
  const { video, audio } = await statedOf(ctx, source, signal);
  for (const [what, stream] of Object.entries({ video, audio })) {
    if (!stream) continue;
    const { decoded, refused } = await firstFrame(ctx, file, stream.index, signal);
    if (decoded) continue;
    const isHidden =
      file.format === 'mov' && (await firstFrame(ctx, file, stream.index, signal, true)).decoded;
    if (isHidden) return { code: 'source_damaged', detail: hidden(what, stream.codec) };
    const coded = `The ${what} of the source (${stream.codec})`;
    return refused
      ? { code: 'source_not_media', detail: `${coded} is coded in a way that is not supported.` }
      : { code: 'source_damaged', detail: `${coded} is damaged: nothing of it can be decoded.` };
  }
  return null;
}

const hidden = (what: string, codec: string) =>
  `The edit list of the source shows nothing of its ${what} (${codec}). Export the file again without edits.`;

async function firstFrame(
  { programs }: MediaContext,
  file: SourceFile,
  stream: number,
  signal: AbortSignal,
  hidden = false,
): Promise<{ decoded: boolean; refused: boolean }> {
  const limits = { signal, reads: [file.path], timeoutSeconds: LOOK_SECONDS };
  try {
    const { stdout, stderrTail } = await run(
      programs,
      'ffmpeg',
      firstFrameDecoded(file, stream, hidden),
      limits,
    );
    // ffmpeg copies a stream of a kind that it does not know.
    if (/^#media_type \d+: data/m.test(stdout)) return { decoded: false, refused: true };
    return { decoded: /^\d/m.test(stdout), refused: decodersLack(stderrTail) };
  } catch (error) {
    if (!(error instanceof TaskFailure && error.code === 'render_failed')) throw error;
    return { decoded: false, refused: decodersLack(String(error.cause)) };
  }
}
