import type { Filter } from '../ffmpeg/step.ts';
import type { MediaProbe } from '../media/probe.ts';
import { type FrameGrid, ordinaryStep } from './frame-grid.ts';
import type { Piece, PieceFrames } from './silence-pieces.ts';

/** Twelve digits: what is counted in frames over an hour stays exact to a tick of any time base. */
const exact = (value: number) => value.toFixed(12);
const TINY = 1e-5;
const sum = (terms: readonly string[]) => (terms.length > 0 ? terms.join('+') : '0');

/**
 * Takes the frames of a few pieces that lie in order, and gives each the time it has in the output, counted from
 * `begin`. Timestamps are those of the file.
 */
export function pieceFrames(
  probe: MediaProbe,
  grid: FrameGrid,
  pieces: readonly Piece[],
  begin: number,
): Filter[] {
  const held = pieces.flatMap(({ frames, ...piece }) => (frames ? [{ ...piece, frames }] : []));
  const [first, last] = [held[0]?.frames, held.at(-1)?.frames];
  if (!first || !last) throw new Error('pieces of sound alone have no frames');
  const within = (time: string, { from, to }: PieceFrames) =>
    `between(${time},${exact(probe.origin + from)},${exact(probe.origin + to)})`;
  const since = (time: string, { zero, held }: PieceFrames) => {
    const passed = `(${time}-${exact(probe.origin + zero)})`;
    return held === null ? passed : `(${passed}*gt(${time},${exact(probe.origin + held + TINY)}))`;
  };
  const slot = (time: string, frames: PieceFrames) => `floor(${since(time, frames)}/${exact(grid.step)}+0.5)`;
  const place = (index: string, { of, shown }: { of: number; shown: number }) =>
    of === shown ? index : `floor(${index}*${shown}/${of}+0.000001)`;

  const taken = held.map(({ frames, speed }) => {
    const inside = within('t', frames);
    const { share } = frames;
    if (speed === 1) return inside;
    if (share) {
      const index = slot('t', frames);
      return `${inside}*gt(${place(`(${index}+1)`, share)},${place(index, share)})`;
    }
    const apart = exact(ordinaryStep(grid) * speed);
    const step = (time: string) => `floor(${since(time, frames)}/${apart})`;
    const first = `isnan(prev_selected_t)+lt(prev_selected_t,${exact(probe.origin + frames.from)})`;
    // What follows may go on with the last frame.
    const last = `gt(t,${exact(probe.origin + frames.last - TINY)})`;
    return `${inside}*(${first}+gt(${step('t')},${step('prev_selected_t')})+${last})`;
  });
  const placed = held.map(({ frames, out, speed }) => {
    const { share } = frames;
    const time = share
      ? `${place(slot('T', frames), share)}*${exact(grid.step)}`
      : `${since('T', frames)}/${exact(speed)}`;
    return `${within('T', frames)}*(${exact(out - begin)}+${time})`;
  });
  return [
    {
      name: 'trim',
      options: { start: exact(probe.origin + first.from), end: exact(probe.origin + last.to) },
    },
    { name: 'select', options: { expr: sum(taken) } },
    { name: 'setpts', options: { expr: `round((${sum(placed)})/TB)` } },
  ];
}
