import type { SeenFace, Spot } from '../../model/subject.ts';
import { type FaceWeights, findFaces } from './face-network.ts';
import type { Picture } from './picture.ts';
import { changeBetween, type Grid, gridOf, salientSpot } from './saliency.ts';

/** What is seen in a frame, by its number. */
export interface Seen {
  frame: number;
  faces: SeenFace[];
  salient: Spot | null;
}

export interface Watched {
  /** Numbers of the first frames of scenes. */
  scenes: number[];
  seen: Seen[];
}

/** Least score of a face. */
const LEAST_SCORE = 0.35;
/** Mean change of the cells, in levels, that is a cut if it is also this many times the usual change. */
const CUT = { levels: 18, times: 4 };
/** Memory of the usual change: part of each new frame. */
const FADING = 0.15;
/** Cuts in direct succession, as around a flash; in the long run, two for each look. Most flashes of a strobe begin no scene. */
const MOST_AT_ONCE = 6;
const PER_LOOK = 2;
/** If cells changed by fewer levels on average since the last look, the faces are where they were. */
const SAME = 0.6;

/**
 * Receives all frames of a video in order; finds the cuts, and looks at the first frame of each scene and at every
 * `every`th frame.
 */
export function watcher(weights: FaceWeights, every: number, crop: { width: number; height: number }) {
  const scenes: number[] = [];
  const seen: Seen[] = [];
  let frame = 0;
  let usual = 0;
  let before: Grid | null = null;
  let room = MOST_AT_ONCE;
  let looked: { frame: number; grid: Grid; faces: SeenFace[] } | null = null;

  const isCut = (grid: Grid): boolean => {
    if (!before) return true;
    const change = changeBetween(before, grid);
    room = Math.min(MOST_AT_ONCE, room + PER_LOOK / every);
    const cut = room >= 1 && change > CUT.levels && change > CUT.times * usual;
    if (cut) room -= 1;
    usual = cut ? 0 : usual + FADING * (change - usual);
    return cut;
  };

  return {
    push(picture: Picture) {
      const grid = gridOf(picture);
      const cut = isCut(grid);
      if (cut) scenes.push(frame);
      if (cut || !looked || frame - looked.frame >= every) {
        const same = !cut && looked !== null && changeBetween(looked.grid, grid) < SAME;
        const faces = same && looked ? looked.faces : facesOf(picture, weights);
        const salient =
          faces.length > 0 ? null : salientSpot(grid, cut || !looked ? null : looked.grid, crop);
        seen.push({ frame, faces, salient });
        looked = { frame, grid, faces };
      }
      before = grid;
      frame++;
    },
    end: (): Watched => ({ scenes, seen }),
  };
}

export function facesOf(picture: Picture, weights: FaceWeights): SeenFace[] {
  const { width, height } = picture;
  return findFaces(picture, weights, LEAST_SCORE).map((face) => ({
    x: face.x / width,
    y: face.y / height,
    width: face.width / width,
    height: face.height / height,
    score: face.score,
  }));
}
