import type { Analysis } from '../../../model/plan.ts';
import type { Filter } from '../../../model/steps.ts';
import { evenNear, type Size } from '../geometry.ts';

/** Longer side of the frames that are looked at: faces of a tenth of it are found. */
const SIDE = 416;

/**
 * Looks for the subject of a source.
 * @param upright Size of the displayed picture.
 * @param crop What is seen of it.
 * @param photo Filters that turn its first picture upright, where it alone is seen; null for all frames.
 */
export function lookAt(source: number, upright: Size, crop: Size, photo: Filter[] | null): Analysis {
  const scale = SIDE / Math.max(upright.width, upright.height);
  return {
    ...{ kind: 'subject', source, photo },
    crop: { width: crop.width / upright.width, height: crop.height / upright.height },
    frame: { width: evenNear(upright.width * scale), height: evenNear(upright.height * scale) },
  };
}
