import { join } from 'node:path';
import { quantiser } from '../../ffmpeg/encoders.ts';
import { filtersText } from '../../model/filter-text.ts';
import { JoinedClocks } from '../../model/joined-clocks.ts';
import type { Analysis, Moment, Picture } from '../../model/plan.ts';
import { canSeek, type MediaProbe } from '../../model/source/media-probe.ts';
import { sizeFilters } from '../../model/source/stated-frames.ts';
import { isTimedByPackets, timeUnit } from '../../model/source/video-stream.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { LibavFailure } from '../libav/pool.ts';
import type { PicturesRequest } from '../libav/protocol.ts';
import type { Analyzer } from './analyzer.ts';
import { findByProgram, type Reading } from './frames-at-ffmpeg.ts';

type Request = Extract<Analysis, { kind: 'pictures' }>;

/** Seconds before the end to read when looking for the last frame of a file without an index, smallest first. */
const WINDOWS = [2, 20, 120];
const TINY = 1e-6;

/**
 * Finds the frame shown at each moment, or the nearest earlier frame that is not black. libav draws the frames it finds
 * into the job's directory right away. If it fails, for example on a damaged file, the ffmpeg programs find what decodes.
 */
async function findPictures(
  reading: Omit<Reading, 'video'>,
  request: Request,
  directory: string,
): Promise<(Picture | null)[]> {
  const { ctx, source, probe, signal } = reading;
  const { video } = probe;
  if (!video) throw new Error('finding pictures needs a source with video');
  const full = { ...reading, video };
  // libav draws frames one at a time; deinterlacing, and deriving missing presentation times, needs the neighbouring frames.
  if (ctx.libav && !video.interlaced && isTimedByPackets(video)) {
    try {
      const ticks = await ctx.libav.ask(libavRequest(full, request, directory), {
        sources: [source],
        signal,
      });
      if (!ticks) throw new JoinedClocks(null);
      const unit = timeUnit(video);
      return ticks.map((tick) => (tick === null ? null : { pts: tick * unit, seek: null, drawn: true }));
    } catch (error) {
      if (!(error instanceof LibavFailure)) throw error;
      ctx.log.warn('libav could not draw pictures', { error });
    }
  }
  const found = await findByProgram(
    { ...full, ctx: { ...ctx, libav: null } },
    request.moments,
    request.skipBlack,
  );
  return found.map((picture) => picture && { ...picture, drawn: false });
}

function libavRequest(
  { source, probe, video }: Reading,
  { moments, skipBlack, drawing }: Request,
  directory: string,
): PicturesRequest {
  const { origin, still } = probe;
  const unit = timeUnit(video);
  const ticks = (seconds: number) => Math.floor((seconds + TINY) / unit);
  const momentOf = (moment: Moment) => {
    if ('at' in moment || still) return { at: ticks(origin + ('at' in moment ? moment.at : 0)) };
    return { fromLast: moment.beforeEnd === 0 ? 0 : ticks(video.frameDuration - moment.beforeEnd) };
  };
  const end = video.startTime + video.duration;
  return {
    kind: 'pictures',
    source: source.parts(),
    stream: video.index,
    slack: ticks(Math.max(1, 8 * video.frameDuration)),
    indexed: canSeek(probe),
    windows: WINDOWS.map((window) => end - window).flatMap((from) => (from > origin ? [ticks(from)] : [])),
    moments: moments.map(momentOf),
    skipBlack,
    drawing: {
      chain: filtersText(drawing.filters),
      sized: filtersText(sizeFilters(video)),
      format: drawing.format,
      quantiser: quantiser(drawing.quality),
      files: drawing.files.map((file) => join(directory, file)),
    },
  };
}

export const pictures: Analyzer<Extract<Analysis, { kind: 'pictures' }>> = async (
  ctx,
  analysis,
  { source, probe },
  { directory, signal },
) => {
  const found = await findPictures({ ctx, source, probe, signal }, analysis, directory);
  refuseEarlier(found, analysis, probe);
  return { pictures: found };
};

/** In frames: how much later than a frame a moment may be that shows it. */
const LONGER = 1.5;

/** Throws `source_truncated` if an earlier frame was found because the file ends before the frame that its index lists for a moment. */
function refuseEarlier(
  found: readonly (Picture | null)[],
  { moments, skipBlack, source }: Request,
  { origin, video }: MediaProbe,
): void {
  if (skipBlack || video?.pace !== 'constant') return;
  for (const [index, moment] of moments.entries()) {
    const picture = found[index];
    if (!picture || !('at' in moment)) continue;
    const time = origin + moment.at;
    const isLast = time >= video.startTime + video.duration;
    if (isLast || picture.pts + LONGER * video.frameDuration > time) continue;
    const end = (picture.pts + video.frameDuration - origin).toFixed(3);
    const detail = `The source ends earlier than its index says: its last frame ends at ${end} s.`;
    throw new TaskFailure('source_truncated', detail, { sourceIndex: source });
  }
}
