import { finer, ticksOf, timeBaseOf } from '../../../model/numbers/rational-time.ts';
import type { VideoStream } from '../../../model/source/video-stream.ts';
import type { Filter } from '../../../model/steps.ts';
import { timedFrames } from '../filters.ts';
import { edgeBefore, type Frames } from '../frames.ts';
import { repeated } from './clip-frames.ts';
import { type Clip, repeatsFrames, slotOf, totalOf } from './clips.ts';
import { reader } from './sound-parts.ts';
import type { Work } from './work.ts';

/** A frame of the source, and the seconds of the output, played forwards, during which it is shown. */
interface Showing {
  /** Index in the grid. */
  frame: number;
  start: number;
  end: number;
}

/** Frames that are turned round together, in the order in which they are shown. */
interface Chunk {
  read: ReturnType<typeof reader>;
  filters: Filter[];
  /** Second of the output at which its first frame is shown. */
  first: number;
  /** Frames of the output. */
  shown: number;
}

/** Bytes of decoded pictures that a chunk may hold, and frames, since its filters name each of them. */
const MOST_BYTES = 200e6;
const MOST_FRAMES = 48;

/**
 * The clips from the end to the beginning, in chunks that fit into memory. Each frame is shown for as
 * long as it is when they are played forwards.
 */
export function chunksBackwards(work: Work, video: VideoStream, grid: Frames): Chunk[] {
  const total = totalOf(work.clips);
  const pixels = video.width * video.height * (video.bitDepth > 8 ? 2 : 1);
  const most = Math.max(2, Math.min(MOST_FRAMES, Math.floor(MOST_BYTES / (pixels * 3))));
  return work.clips.toReversed().flatMap((clip) => {
    const showings = showingsOf(clip, grid).toReversed();
    const chunks = Array.from({ length: Math.ceil(showings.length / most) }, (_, index) =>
      showings.slice(index * most, (index + 1) * most),
    );
    return chunks.map((chunk) => chunkOf(work, video, grid, clip, chunk, total));
  });
}

/** What a clip shows when it is played forwards. */
function showingsOf(clip: Clip, grid: Frames): Showing[] {
  const { frames, start, out, outEnd, rate } = clip;
  if (!frames || frames.first === null) return [];
  const { low, next: high, zero } = frames;
  const indices = Array.from({ length: high - low }, (_, index) => low + index);
  if (!grid.uneven) {
    const share = frames.share ?? { of: 1, shown: 1 };
    // Without a share `zero` is the start of the clip, from which the first frame may be a little off.
    const late = Math.round((grid.at(low) - zero) / grid.step);
    const begins = frames.share ? out + (zero - start) / rate : frames.first - late * grid.step;
    const at = (frame: number) => begins + slotOf(late + frame - low, share) * grid.step;
    const all = indices.map((frame) => ({ frame, start: at(frame), end: at(frame + 1) }));
    return all.filter((one) => one.end > one.start + grid.step / 2);
  }
  const at = (frame: number) =>
    frame === low && frames.held !== null ? out : out + (grid.at(frame) - start) / rate;
  const apart = rate > 1 ? grid.ordinary * 0.999 : 0;
  const taken: number[] = [];
  for (const frame of indices) {
    const last = taken.at(-1);
    if (last === undefined || at(frame) - at(last) >= apart) taken.push(frame);
  }
  return taken.map((frame, index) => {
    const follows = taken[index + 1];
    return { frame, start: at(frame), end: follows === undefined ? outEnd : at(follows) };
  });
}

/** @param showings Of a clip, the last one first. */
function chunkOf(
  { probe }: Work,
  video: VideoStream,
  grid: Frames,
  clip: Clip,
  showings: readonly Showing[],
  total: number,
): Chunk {
  const [latest, earliest] = [showings[0], showings.at(-1)];
  if (!latest || !earliest) throw new Error('a chunk without frames');
  const base = finer(timeBaseOf(video.timeBase));
  const edge = (time: number) => ticksOf(probe.origin + time, base, 'up');
  const bounds = ({ frame }: Showing) => [edge(edgeBefore(grid, frame)), edge(edgeBefore(grid, frame + 1))];
  // Rounded to a frame, the last one may end behind the sound, and would begin before 0.
  const latestEnd = Math.min(latest.end, total);
  const first = total - latestEnd;
  const span = { start: grid.at(earliest.frame), end: grid.at(latest.frame) + grid.step };
  const among = showings.map((one) => {
    const [from, to] = bounds(one);
    return `between(pts,${from},${(to ?? 0) - 1})`;
  });
  const fills = repeatsFrames(clip);
  const slot = (time: number) => Math.round(time / grid.step);
  const times = showings.map(({ end }) => Math.max(0, total - end - first));
  const ticks = times.map((time) => (fills ? slot(time) * base.den : ticksOf(time, base)));
  const shown = fills ? slot(latestEnd - earliest.start) : showings.length;
  return {
    read: {
      ...reader(probe, [{ ...clip, ...span, frames: null, out: 0, outEnd: latest.end - earliest.start }]),
    },
    filters: [
      ...timedFrames(video),
      { name: 'trim', options: { start_pts: bounds(earliest)[0] ?? 0, end_pts: bounds(latest)[1] ?? 0 } },
      { name: 'select', options: { expr: among.join('+') } },
      { name: 'reverse' },
      { name: 'setpts', options: { expr: ticks.map((tick, index) => `eq(N,${index})*${tick}`).join('+') } },
      ...(fills ? repeated({ from: showings.length, to: shown }, grid.step * base.den, base.den) : []),
    ],
    first,
    shown,
  };
}
