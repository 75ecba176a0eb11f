import type { Scene } from '../../model/visual-scene.ts';
import type { Mask } from './mask.ts';
import type { Sound } from './sound.ts';

/** What a style draws on, and with. */
export interface Stage {
  mask: Mask;
  scene: Scene;
  sound: Sound;
  /** The part of the mask that shapes stay inside of. */
  box: { x: number; y: number; width: number; height: number };
  /** Pixels of a fine line. */
  unit: number;
  /** Seconds of a frame. */
  frame: number;
  /** The sample at which a frame ends: what is heard up to there is seen in it. */
  endOf: (frame: number) => number;
}

export interface Style {
  /** Draws the frame that follows the last one on an empty mask. */
  draw: (frame: number) => void;
  /** Light around the shapes: pixels that it reaches, and 0 … 1. */
  glow: { reach: number; strength: number };
}

export type MakeStyle = (stage: Stage) => Style;

/** Frequencies that are drawn, in hertz. */
export const [LOWEST, HIGHEST] = [40, 14_000];
