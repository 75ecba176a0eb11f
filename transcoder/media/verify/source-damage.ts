import { z } from 'zod';
import { restartOf } from '../../ffmpeg/clock-restart.ts';
import { saysDamage, sourceEndedEarly } from '../../ffmpeg/diagnose.ts';
import {
  orderArguments,
  sizesArguments,
  soundnessArguments,
  wholenessArguments,
} from '../../ffmpeg/inspect.ts';
import { run } from '../../ffmpeg/run.ts';
import { severalRecordings } from '../../model/joined-clocks.ts';
import type { MediaSource, SourceFile } from '../../model/source/media-source.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { ratio } from '../probe/ffprobe-schema.ts';
import { probedByLibav } from '../probe/probe-media.ts';
import { type Undecodable, undecodable } from './undecodable.ts';

/** Longest time to decode a source when looking for damage. */
const LOOK_SECONDS = 60;
/** Factor by which the frame count may deviate from rate × duration. */
const OFF = 1.25;

/**
 * Traces a failed render or an invalid result to its source: returns `source_truncated` or `source_damaged` if a source does
 * not decode completely, does not match its header, or changes its size, and `source_not_media` if there is no decoder for what it holds. Sources
 * that were read only in part are not blamed for their content. An invalid result of a source that is shown in pieces, or whose frames do
 * not come in the order of their times, is `source_damaged`, too.
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
    const found = present === null ? await faultOf(ctx, source, file, signal) : null;
    const fault = found ?? (error.code === 'output_invalid' ? await misplacedIn(ctx, source, signal) : null);
    if (fault) return new TaskFailure(fault.code, fault.detail, { sourceIndex, cause: error });
  }
  return error;
}

interface Fault {
  code: 'source_truncated' | Undecodable['code'];
  detail: string;
}

const truncated: Fault = {
  code: 'source_truncated',
  detail: 'The source ends earlier than its index says.',
};
const damaged: Fault = {
  code: 'source_damaged',
  detail: 'The source is damaged: its content does not match its header.',
};

/** libav gives the frames of a piece that begins between keyframes the times of other frames. */
const inPieces: Fault = {
  code: 'source_damaged',
  detail:
    'The edit list of the source shows it in several pieces. The frames of a piece that begins between keyframes cannot be placed exactly. Export the file again without edits.',
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

async function misplacedIn(
  ctx: MediaContext,
  source: MediaSource,
  signal: AbortSignal,
): Promise<Fault | null> {
  if (await isInPieces(ctx, source, signal)) return inPieces;
  const { present, ...file } = source.parts();
  if (present !== null || !withBothTimes.includes(file.format)) return null;
  try {
    const how = { signal, reads: [file.path], timeoutSeconds: LOOK_SECONDS };
    return disorderIn((await run(ctx.programs, 'ffprobe', orderArguments(file), how)).stdout);
  } catch {
    return null;
  }
}

/** Formats whose packets have a time of decoding and one of presentation. */
const withBothTimes: readonly SourceFile['format'][] = ['mov', 'mpegts', 'flv'];

/**
 * Frames that the decoder puts out in another order than that of their times. Where no packet has two times, muxers wrote times of
 * decoding alone, which say nothing.
 * @param listed As `orderArguments` prints it.
 */
function disorderIn(listed: string): Fault | null {
  if (![...listed.matchAll(/^packet,([\d.-]+),([\d.-]+)/gm)].some(([, shown, decoded]) => shown !== decoded))
    return null;
  const times = [...listed.matchAll(/^frame,([\d.-]+)/gm)].map(([, time]) => Number(time));
  const early = times.findIndex((time, index) => time < (times[index - 1] ?? time));
  if (early === -1) return null;
  const [before, after] = [times[early - 1] ?? 0, times[early] ?? 0];
  const detail = `The frames of the source do not come in the order of their times: the one at ${after.toFixed(3)} s comes after the one at ${before.toFixed(3)} s. Export the file again.`;
  return { code: 'source_damaged', detail };
}

/** Whether an edit list shows a track in several pieces. */
async function isInPieces(ctx: MediaContext, source: MediaSource, signal: AbortSignal): Promise<boolean> {
  const probed = await probedByLibav(ctx, source, signal);
  return probed?.streams.some((stream) => stream.in_pieces === true) ?? false;
}

async function faultOf(
  ctx: MediaContext,
  source: MediaSource,
  file: SourceFile,
  signal: AbortSignal,
): Promise<Fault | null> {
  const look = (args: string[]) =>
    run(ctx.programs, 'ffprobe', args, { signal, reads: [file.path], timeoutSeconds: LOOK_SECONDS });
  try {
    const restart = await restartOf(ctx.programs, file, signal);
    if (restart) return { code: 'source_damaged', detail: severalRecordings(restart) };
    if (await endsEarly(look(wholenessArguments(file)))) return truncated;
    const nothing = await undecodable(ctx, source, file, signal);
    if (nothing) return nothing;
    const resized = resizedIn((await look(sizesArguments(file))).stdout);
    if (resized) return resized;
    const { stdout, stderrTail } = await look(soundnessArguments(file));
    const broken = saysDamage(stderrTail) || counted.parse(JSON.parse(stdout)).streams.some(isOff);
    return broken ? damaged : null;
  } catch (error) {
    return isUnread(error) ? damaged : null;
  }
}

/** @param listed Time, width and height of a keyframe a line. */
function resizedIn(listed: string): Fault | null {
  const [first, ...others] = [...listed.matchAll(/^([\d.]+),(\d+),(\d+)/gm)].map(
    ([, time = '', width = '', height = '']) => ({ time: Number(time), size: `${width} × ${height}` }),
  );
  const other = others.find(({ size }) => size !== first?.size);
  if (!first || !other) return null;
  const change = `from ${first.size} to ${other.size} at ${other.time.toFixed(3)} s`;
  const detail = `The picture of the source changes its size, ${change}, and this operation needs one size. Convert the source with /transcode first, which scales all frames to the first size.`;
  return { code: 'source_damaged', detail };
}

/** ffprobe opens a decoder for every stream before it reads, and fails if one does not open. */
async function endsEarly(looking: ReturnType<typeof run>): Promise<boolean> {
  try {
    return sourceEndedEarly((await looking).stderrTail);
  } catch (error) {
    if (isUnread(error)) return false;
    throw error;
  }
}

const isUnread = (error: unknown) => error instanceof TaskFailure && error.code === 'render_failed';

function isOff(stream: z.output<typeof counted>['streams'][number]): boolean {
  if (stream.codec_type !== 'video') return false;
  const rate = ratio(stream.avg_frame_rate, '/');
  const { duration } = stream;
  const expected = rate === null || duration === undefined ? (stream.nb_frames ?? 0) : rate * duration;
  const found = stream.nb_read_frames;
  return found === 0 || (expected > 0 && Math.max(found / expected, expected / found) > OFF);
}
