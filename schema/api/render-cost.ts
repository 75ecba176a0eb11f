import type { OperationName } from '../operations/index.ts';
import { machine } from './machine.ts';

/**
 * Share of a task's wall time that the rendering estimate may use. Encoders do not keep every core busy, and fetching,
 * verifying and storing take time too.
 */
export const RENDER_SHARE = 0.85;

/**
 * Core seconds per megapixel per frame, for expensive content (camera noise, fine detail) at our encoder presets. Measured by
 * bench/costs.ts, bench/encoders.ts and bench/visual.ts; bench/RESULTS.md describes the machine.
 */
export const encodeCost = { h264: 0.024, hevc: 0.046, vp9: 0.023, av1: 0.032 } as const;
/** The same for ProRes 4444 with transparency, including its drawing on two pictures. */
export const proresCost = 0.024;
/** Decoding, for the most expensive codec. */
export const readCost = 0.006;
/** Filtering between decoding and encoding. */
export const filterCost: { default: number } & Partial<Record<OperationName, number>> = {
  default: 0.006,
  visualize: 0.014,
  photo_animate: 0.04,
};

/** Largest estimate, in core seconds, for a task with this wall time. */
export const renderBudget = (taskSeconds: number): number => taskSeconds * machine.cores * RENDER_SHARE;
