import { z } from 'zod';
import { saysDamage, sourceEndedEarly } from '../../ffmpeg/diagnose.ts';
import { soundnessArguments, wholenessArguments } from '../../ffmpeg/inspect.ts';
import { run } from '../../ffmpeg/run.ts';
import type { MediaSource, SourceFile } from '../../model/media-source.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { ratio } from '../probe/ffprobe-schema.ts';

/** Longest time to decode a source when looking for damage. */
const LOOK_SECONDS = 60;
/** Factor by which the frame count may deviate from rate × duration. */
const OFF = 1.25;

/**
 * Traces a failed render or an invalid result to its source: returns `source_truncated` or `source_damaged` if a source does
 * not decode completely, or does not match its header. Sources that were read only in part are not blamed.
 */
export async function tracedToSource(
  ctx: MediaContext,
  sources: readonly MediaSource[],
  error: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  if (!(error instanceof TaskFailure)) return error;
  if (error.code !== 'render_failed' && error.code !== 'output_invalid') return error;
  for (const [sourceIndex, source] of sources.entries()) {
    const { present, ...file } = source.parts();
    const fault = present === null ? await faultOf(ctx, file, signal) : null;
    if (fault) return new TaskFailure(fault, details[fault], { sourceIndex, cause: error });
  }
  return error;
}

const details = {
  source_truncated: 'The source ends earlier than its index says.',
  source_damaged: 'The source is damaged: its content does not match its header.',
};

const counted = z.object({
  streams: z.array(
    z.object({
      codec_type: z.string().default(''),
      nb_read_frames: z.coerce.number().catch(0),
      duration: z.coerce.number().optional(),
      avg_frame_rate: z.string().optional(),
      nb_frames: z.coerce.number().optional(),
    }),
  ),
});

async function faultOf(
  ctx: MediaContext,
  file: SourceFile,
  signal: AbortSignal,
): Promise<keyof typeof details | null> {
  const look = (args: string[]) =>
    run(ctx.programs, 'ffprobe', args, { signal, reads: [file.path], timeoutSeconds: LOOK_SECONDS });
  try {
    if (sourceEndedEarly((await look(wholenessArguments(file))).stderrTail)) return 'source_truncated';
    const { stdout, stderrTail } = await look(soundnessArguments(file));
    const broken = saysDamage(stderrTail) || counted.parse(JSON.parse(stdout)).streams.some(isOff);
    return broken ? 'source_damaged' : null;
  } catch (error) {
    return error instanceof TaskFailure && error.code === 'render_failed' ? 'source_damaged' : null;
  }
}

function isOff(stream: z.output<typeof counted>['streams'][number]): boolean {
  if (stream.codec_type !== 'video') return false;
  const rate = ratio(stream.avg_frame_rate, '/');
  const { duration } = stream;
  const expected = rate === null || duration === undefined ? (stream.nb_frames ?? 0) : rate * duration;
  const found = stream.nb_read_frames;
  return found === 0 || (expected > 0 && Math.max(found / expected, expected / found) > OFF);
}
