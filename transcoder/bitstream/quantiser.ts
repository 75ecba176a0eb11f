/** How a picture is coded: I without references, P from earlier pictures, B from two directions. */
export interface Picture {
  type: 'I' | 'P' | 'B';
  /** On the scale of the codec; slices and blocks may vary around it. */
  quantiser: number;
}

/** The quantisers that re-encoded frames may use, on the scale of a codec. */
export interface QuantiserScale {
  /** Finer ones cost bits without a visible gain. */
  finest: number;
  /** Above it, frames keep visible parts of their neighbours. */
  coarsest: number;
  /** Up to here, the loss of a few steps cannot be seen. */
  discreet: number;
  /** How much finer than P pictures encoders code I pictures, and coarser B pictures. */
  ofI: number;
  ofB: number;
}

/** H.264 and HEVC. */
export const qpScale: QuantiserScale = {
  ...{ finest: 18, coarsest: 42, discreet: 28 },
  ...{ ofI: -3, ofB: 2 },
};

/** Share of the B pictures' coarser quantisers: frames without them cost more at the quantiser of P pictures alone. */
const OF_ALL = 0.25;

const mean = (pictures: readonly Picture[]): number =>
  pictures.reduce((sum, { quantiser }) => sum + quantiser, 0) / pictures.length;

/** The quantiser at which P pictures without B pictures continue these; null if there are none. */
export function quantiserOf(pictures: readonly Picture[], scale: QuantiserScale): number | null {
  const offsets = { P: 0, I: scale.ofI, B: scale.ofB };
  for (const type of ['P', 'I', 'B'] as const) {
    const own = pictures.filter((picture) => picture.type === type);
    if (own.length === 0) continue;
    const predicted = mean(own) - offsets[type];
    const coarser = Math.max(0, mean(pictures) - predicted);
    return within(scale, Math.round(predicted + OF_ALL * coarser));
  }
  return null;
}

export const within = ({ finest, coarsest }: QuantiserScale, quantiser: number): number =>
  Math.min(coarsest, Math.max(finest, quantiser));

/** Largest corrections. */
const [FINER, COARSER] = [-2, 3];
/** Bytes of a stretch compared with the source's within which nothing is corrected. The first picture is a keyframe, hence the excess. */
const [FEWEST, MOST, FAR_TOO_MANY] = [1, 1.2, 1.4];

/** The correction of the quantiser for the stretches that follow one of this size. */
export function corrected(correction: number, bytes: number, ofSource: number): number {
  const ratio = bytes / Math.max(1, ofSource);
  const coarser = ratio > FAR_TOO_MANY ? 2 : ratio > MOST ? 1 : 0;
  const step = ratio < FEWEST ? -1 : coarser;
  return Math.min(COARSER, Math.max(FINER, correction + step));
}

/** Most steps above the source's quantiser. */
const MOST_RAISED = 8;

/**
 * A coarser quantiser for a stretch whose first picture is larger than it may be; null if it is small enough or the loss would
 * be visible. Pictures without noise need it: re-encoding what quantisation has left in them takes more bits than it took before.
 */
export function raised(quantiser: number, size: number, limit: number, scale: QuantiserScale): number | null {
  if (size <= limit) return null;
  const other = Math.min(scale.discreet, quantiser + MOST_RAISED);
  return other > quantiser ? other : null;
}
