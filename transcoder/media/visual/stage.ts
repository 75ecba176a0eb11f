import type { Scene } from '../../model/visual-scene.ts';
import type { Mask } from './mask.ts';
import type { Sound } from './sound.ts';

/** What a style needs to draw. */
interface Stage {
  mask: Mask;
  scene: Scene;
  sound: Sound;
  /** The part of the mask that shapes stay inside. */
  box: { x: number; y: number; width: number; height: number };
  /** Width of a fine line in pixels. */
  unit: number;
  /** Duration of a frame in seconds. */
  frame: number;
  /** The sample at which a frame ends; the frame shows the sound up to there. */
  endOf: (frame: number) => number;
}

interface Style {
  /** Draws the next frame on an empty mask. */
  draw: (frame: number) => void;
  /** Reach in pixels, strength 0–1. */
  glow: { reach: number; strength: number };
}

export type MakeStyle = (stage: Stage) => Style;

/** Range of the drawn frequencies in hertz. */
export const [LOWEST, HIGHEST] = [40, 14_000];
