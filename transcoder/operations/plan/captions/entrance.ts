import type { CaptionEntrance } from '../../../../schema/media/caption-presets.ts';
import { greatest } from '../../../model/numbers/min-max.ts';
import type { Drawn, Laid } from './layout.ts';
import { roomIn } from './layout.ts';
import { heightIn } from './safe-area.ts';
import type { CaptionCue } from './segmentation.ts';

/** How a caption differs from its final state. */
export interface Pose {
  /** Factor of its size, from the point it is aligned with. */
  scale: number;
  /** From 0 to 1. */
  opacity: number;
  /** Line heights below its place. */
  below: number;
  /** Radius in line heights. */
  blur: number;
}

/** Part of an entrance, in which a caption changes at a constant rate. */
export interface Movement {
  start: number;
  end: number;
  from: Pose;
  to: Pose;
}

interface Entrance {
  seconds: number;
  /** Shares of the time between which the curve is drawn as straight lines. */
  knots: readonly number[];
  pose: (share: number) => Partial<Pose>;
}

const settled: Pose = { scale: 1, opacity: 1, below: 0, blur: 0 };

const easeOutCubic = (share: number) => 1 - (1 - share) ** 3;

/** Overshoots by 10 %. https://easings.net/#easeOutBack */
const easeOutBack = (share: number) => 1 + 2.70158 * (share - 1) ** 3 + 1.70158 * (share - 1) ** 2;

const bounces = [0.5, 1.1, 0.92, 1.04, 0.98, 1];

const fifths = [0, 0.2, 0.4, 0.6, 0.8, 1];

const entrances: Record<Exclude<CaptionEntrance, 'none'>, Entrance> = {
  fade: { seconds: 0.2, knots: [0, 0.33, 0.66, 1], pose: (share) => ({ opacity: easeOutCubic(share) }) },
  pop: {
    ...{ seconds: 0.25, knots: fifths },
    pose: (share) => ({ scale: 0.6 + 0.4 * easeOutBack(share), opacity: Math.min(1, 2.5 * share) }),
  },
  slide_up: {
    ...{ seconds: 0.3, knots: fifths },
    pose: (share) => ({ below: 0.9 * (1 - easeOutCubic(share)), opacity: Math.min(1, 2.5 * share) }),
  },
  bounce: {
    ...{ seconds: 0.45, knots: fifths },
    pose: (share) => ({ scale: bounces[Math.round(5 * share)] ?? 1, opacity: Math.min(1, 5 * share) }),
  },
  blur: {
    ...{ seconds: 0.3, knots: [0, 0.25, 0.5, 0.75, 1] },
    pose: (share) => ({ blur: 0.3 * (1 - easeOutCubic(share)), opacity: Math.min(1, 2 * share) }),
  },
};

/** Share of a caption's time that its entrance can take: it has to be read in the rest. */
const MOST_SHARE = 0.25;
/** Shorter entrances are not seen. */
const LEAST = 0.04;

/** Seconds until a caption has its final state. */
export function entranceSeconds(entrance: CaptionEntrance, { start, end }: CaptionCue): number {
  if (entrance === 'none') return 0;
  const seconds = Math.min(entrances[entrance].seconds, MOST_SHARE * (end - start));
  return seconds < LEAST ? 0 : seconds;
}

/** The parts of a caption's entrance, one after another; none if it appears at once. */
export function movementsOf(cue: CaptionCue, laid: Laid, drawn: Drawn): Movement[] {
  const seconds = entranceSeconds(drawn.entrance, cue);
  if (drawn.entrance === 'none' || seconds === 0) return [];
  const { knots, pose } = entrances[drawn.entrance];
  const most = mostScale(laid, drawn);
  const at = (share: number): Pose => {
    const own = { ...settled, ...pose(share) };
    return { ...own, scale: Math.min(own.scale, most) };
  };
  // The resolution of ASS.
  const time = (share: number) => Math.round(100 * (cue.start + share * seconds)) / 100;
  return knots.slice(1).map((to, index) => {
    const from = knots[index] ?? 0;
    return { start: time(from), end: time(to), from: at(from), to: at(to) };
  });
}

/** The largest scale of a caption that is still inside the safe area. */
function mostScale({ rows, line }: Laid, drawn: Drawn): number {
  const wide = greatest(rows.map(({ box }) => box.width));
  const high = rows.reduce((sum, { set }) => sum + (set.ascent + set.descent) * line, 0) + line;
  const free = heightIn(drawn.place);
  return Math.max(1, Math.min(roomIn(drawn) / wide, Math.min(free, drawn.tallest) / high));
}
