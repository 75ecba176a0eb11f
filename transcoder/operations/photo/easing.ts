/**
 * The visible part of a photo. The unit is the largest part of the photo with the output's aspect ratio: a view at zoom
 * 1 is 1 wide and 1 high. `x` and `y` are its top left corner.
 */
export interface View {
  x: number;
  y: number;
  side: number;
}

/** Movement of a view from one position to another, with a sway on top. */
export interface Path {
  from: View;
  to: View;
  curve: { kind: 'linear' } | { kind: 'ease_in_out' } | { kind: 'pulse'; beats: number };
  /** Added to each coordinate: sine waves over the whole duration. */
  sway: { x: Wave[]; y: Wave[] };
}

export interface Wave {
  reach: number;
  /** Cycles over the whole duration, and the starting point within a cycle. */
  turns: number;
  phase: number;
}

const TURN = 2 * Math.PI;
const SAME = 1e-9;

/** The view at progress `u`, 0 … 1. */
export function viewAt({ from, to, curve, sway }: Path, u: number): View {
  const eased =
    curve.kind === 'linear'
      ? u
      : curve.kind === 'ease_in_out'
        ? u * u * (3 - 2 * u)
        : 0.5 - 0.5 * Math.cos(TURN * curve.beats * u);
  const share = shareOf(from.side, to.side, eased);
  const swayed = (waves: readonly Wave[]) =>
    waves.reduce((sum, { reach, turns, phase }) => sum + reach * Math.sin(TURN * (turns * u + phase)), 0);
  return {
    x: from.x + (to.x - from.x) * share + swayed(sway.x),
    y: from.y + (to.y - from.y) * share + swayed(sway.y),
    side: from.side + (to.side - from.side) * share,
  };
}

/**
 * Progress between two views. Zoom changes at a constant ratio per unit of time, which looks like an even speed; and
 * every view lies between the two, which keeps it inside the photo.
 */
function shareOf(from: number, to: number, eased: number): number {
  if (Math.abs(from - to) < SAME) return eased;
  return (from - from * (to / from) ** eased) / (from - to);
}

/** Bounding box of all views of a path. */
export function extentOf({ from, to, sway }: Path): { x: [number, number]; y: [number, number] } {
  const along = (of: 'x' | 'y'): [number, number] => {
    const most = sway[of].reduce((sum, { reach }) => sum + reach, 0);
    return [Math.min(from[of], to[of]) - most, Math.max(from[of] + from.side, to[of] + to.side) + most];
  };
  return { x: along('x'), y: along('y') };
}
