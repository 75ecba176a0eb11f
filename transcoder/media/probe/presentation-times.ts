import { firstTimesArguments } from '../../ffmpeg/inspect.ts';
import { run } from '../../ffmpeg/run.ts';
import { isAscending } from '../../model/numbers/min-max.ts';
import type { MediaSource, SourceFile } from '../../model/source/media-source.ts';
import { holdsPresentationTimes, type StatedVideo } from '../../model/source/video-stream.ts';
import { listPackets } from '../analyses/packets.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { fetchedRanges } from '../libav/fetched-ranges.ts';

/** Number of first frames within which a stream with B-frames has one that is not shown when it is decoded. */
const FIRST_FRAMES = 32;

/**
 * Whether a muxer wrote decoding times in place of presentation times, or states these for some frames alone: a raw stream that is copied
 * into a container has none, and neither has MXF without its index. With B-frames, only decoding then tells when frames are shown.
 */
export async function isTimedByDecoding(
  ctx: MediaContext,
  source: MediaSource,
  video: StatedVideo,
  start: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (!video.reordered || !holdsPresentationTimes(source.format)) return false;
  const end = start + FIRST_FRAMES * video.frameDuration;
  const packets = await listPackets(ctx, source, video, [[start, end]], signal);
  return isAscending(packets.map(({ pts }) => pts)) && (await isReordered(ctx, source, video, end, signal));
}

/**
 * Whether a decoder outputs frames in another order than their times, or without one. A stream may allow B-frames and have none.
 * @param end Second at which the first frames have been shown.
 */
async function isReordered(
  ctx: MediaContext,
  source: MediaSource,
  video: StatedVideo,
  end: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const timesOf = async (file: SourceFile) => {
    const args = firstTimesArguments(file, video, FIRST_FRAMES);
    const { stdout } = await run(ctx.programs, 'ffprobe', args, { signal, reads: [file.path] });
    return stdout.match(/^(-?\d+|N\/A)/gm) ?? [];
  };
  const fetched =
    source.parts().present !== null &&
    (await fetchedRanges(ctx, source, { streams: [video.index], ranges: [{ from: null, end }] }, signal));
  const first = fetched ? await timesOf(source.parts()) : [];
  const times = first.length < FIRST_FRAMES ? await timesOf(await source.whole()) : first;
  const stated = times.filter((time) => time !== 'N/A').map(Number);
  return !isAscending(stated) || (stated.length > 0 && stated.length < times.length);
}
