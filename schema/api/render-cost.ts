import type { OperationName } from '../operations/index.ts';
import { machine } from './machine.ts';

/**
 * Share of a task's wall time that rendering may take by estimate: encoders do not keep every core busy, and sources are
 * fetched, results checked and stored in the same time.
 */
export const RENDER_SHARE = 0.85;

/**
 * CPU seconds of one core for a million pixels of one frame, on dear content (camera noise, fine detail) at the presets in
 * use. Measured by bench/costs.ts, bench/encoders.ts and bench/visual.ts; see bench/RESULTS.md for the machine.
 */
export const encodeCost = { h264: 0.024, hevc: 0.046, vp9: 0.023, av1: 0.032 } as const;
/** Of a source; the dearest of the codecs. */
export const readCost = 0.006;
/** Of what an operation does with each frame between reading and encoding. */
export const filterCost: { default: number } & Partial<Record<OperationName, number>> = {
  default: 0.006,
  visualize: 0.014,
  photo_animate: 0.04,
};

/** Core seconds that a task of this wall time may be estimated at. */
export const renderBudget = (taskSeconds: number): number => taskSeconds * machine.cores * RENDER_SHARE;
