import type { MediaProbe } from '../../../model/media-probe.ts';
import { finer, ticksOf, timeBaseOf } from '../../../model/rational-time.ts';
import type { Filter } from '../../../model/steps.ts';
import type { VideoStream } from '../../../model/video-stream.ts';
import { timedFrames } from '../filters.ts';
import { type FrameGrid, ordinaryStep } from '../frame-grid.ts';
import type { Clip, ClipFrames } from './clips.ts';

/** Twelve digits keep frame counts exact to a tick of any timebase over an hour. */
const exact = (value: number) => value.toFixed(12);
const sum = (terms: readonly string[]) => (terms.length > 0 ? terms.join('+') : '0');

/**
 * Selects the frames of a few consecutive clips and gives each its time in the output, relative to `begin`. Input
 * timestamps are those of the file.
 */
export function clipFrames(
  probe: MediaProbe,
  video: VideoStream,
  grid: FrameGrid,
  clips: readonly Clip[],
  begin: number,
): Filter[] {
  const withFrames = clips.flatMap(({ frames, ...clip }) => (frames ? [{ ...clip, frames }] : []));
  const [first, last] = [withFrames[0]?.frames, withFrames.at(-1)?.frames];
  if (!first || !last) throw new Error('audio-only clips have no frames');
  const base = finer(timeBaseOf(video.timeBase));
  const tick = (time: number) => ticksOf(probe.origin + time, base);
  const edge = (time: number) => ticksOf(probe.origin + time, base, 'up');
  const frame = exact(grid.step * base.den);

  const within = (pts: string, { from, to }: ClipFrames) => `between(${pts},${edge(from)},${edge(to) - 1})`;
  const since = (pts: string, { zero, held }: ClipFrames) => {
    const passed = `(${pts}-(${tick(zero)}))`;
    return held === null ? passed : `(${passed}*gt(${pts},${tick(held)}))`;
  };
  const slot = (pts: string, frames: ClipFrames) => `floor(${since(pts, frames)}/${frame}+0.5)`;
  const place = (index: string, { of, shown }: { of: number; shown: number }) =>
    of === shown ? index : `ceil((${index}-0.5)*${shown}/${of}-0.000001)`;

  const taken = withFrames.map(({ frames, rate }) => {
    const inside = within('pts', frames);
    const { share } = frames;
    if (rate === 1) return inside;
    if (share) {
      const index = slot('pts', frames);
      return `${inside}*gt(${place(`(${index}+1)`, share)},${place(index, share)})`;
    }
    const apart = exact(ordinaryStep(grid) * rate * base.den);
    const step = (pts: string) => `floor(${since(pts, frames)}/${apart})`;
    const first = `isnan(prev_selected_pts)+lt(prev_selected_pts,${edge(frames.from)})`;
    // The next clip may begin with the last frame still on screen.
    const last = `gte(pts,${tick(frames.last)})`;
    return `${inside}*(${first}+gt(${step('pts')},${step('prev_selected_pts')})+${last})`;
  });
  const placed = withFrames.map(({ frames, start, out, rate }) => {
    const { share, zero } = frames;
    const begins = share ? out + (zero - start) / rate : out;
    const passed = since('PTS', frames);
    const time = share
      ? `${place(slot('PTS', frames), share)}*${frame}`
      : rate === 1
        ? passed
        : `${passed}/${exact(rate)}`;
    return `${within('PTS', frames)}*(${ticksOf(begins - begin, base)}+${time})`;
  });
  return [
    ...timedFrames(video),
    { name: 'trim', options: { start_pts: edge(first.from), end_pts: edge(last.to) } },
    { name: 'select', options: { expr: sum(taken) } },
    { name: 'setpts', options: { expr: `round(${sum(placed)})` } },
  ];
}
