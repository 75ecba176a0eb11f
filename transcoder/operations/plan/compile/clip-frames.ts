import { finer, ticksOf, timeBaseOf } from '../../../model/numbers/rational-time.ts';
import type { MediaProbe } from '../../../model/source/media-probe.ts';
import type { VideoStream } from '../../../model/source/video-stream.ts';
import type { Filter } from '../../../model/steps.ts';
import { timedFrames } from '../filters.ts';
import type { Frames } from '../frames.ts';
import { type Clip, type ClipFrames, repeatsFrames, slotText } from './clips.ts';

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
  grid: Frames,
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

  const taken = withFrames.map(({ frames, rate }) => {
    const inside = within('pts', frames);
    const { share } = frames;
    if (share ? share.shown >= share.of : rate <= 1) return inside;
    if (share) {
      const index = slot('pts', frames);
      return `${inside}*gt(${slotText(`(${index}+1)`, share)},${slotText(index, share)})`;
    }
    const apart = exact(grid.ordinary * rate * base.den);
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
      ? `${slotText(slot('PTS', frames), share)}*${frame}`
      : rate === 1
        ? passed
        : `${passed}/${exact(rate)}`;
    return `${within('PTS', frames)}*(${ticksOf(begins - begin, base)}+${time})`;
  });
  return [
    ...timedFrames(video),
    { name: 'trim', options: { start_pts: edge(first.from), end_pts: edge(last.to) } },
    { name: 'select', options: { expr: sum(taken) } },
    // The first frame may be rounded to just before `begin`, and would then be lost.
    { name: 'setpts', options: { expr: `max(0,round(${sum(placed)}))` } },
    ...clips.filter(repeatsFrames).flatMap(({ frames }) => {
      if (!frames || frames.shown === null) return [];
      const inSlots = { name: 'setpts', options: { expr: `round(PTS/${frame})*${base.den}` } };
      const spans = { from: frames.next - frames.low, to: frames.shown };
      return [inSlots, ...repeated(spans, grid.step * base.den, base.den)];
    }),
  ];
}

/**
 * Shows each of `from` frames until the next one, `to` frames in all. Expects a frame's position as its second. The frame
 * rate in between is a whole number, which is not rounded; the last packet lasts as long as a frame at this rate.
 * `fps` drops the last frame that it gets, which is therefore a copy.
 * @param frame Ticks of a frame. @param second Ticks of a second.
 */
export function repeated(
  { from, to }: { from: number; to: number },
  frame: number,
  second: number,
): Filter[] {
  const fps = Math.max(1, Math.round(second / frame));
  return [
    { name: 'setpts', options: { expr: `round(PTS/${fps})` } },
    { name: 'settb', options: { expr: `1/${fps}` } },
    { name: 'tpad', options: { stop_mode: 'clone', stop: 1 } },
    { name: 'setpts', options: { expr: `if(gte(N,${from}),${to},PTS)` } },
    { name: 'fps', options: { fps, start_time: 0, eof_action: 'pass' } },
    { name: 'trim', options: { end_frame: to } },
    { name: 'settb', options: { expr: `1/${second}` } },
    { name: 'setpts', options: { expr: `round(round(PTS*${fps}/${second})*${exact(frame)})` } },
  ];
}
