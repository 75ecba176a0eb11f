/** Radius of the circle on which the bars of the ring begin, as a share of the whole; a cover fits inside it. */
export const RING_INSIDE = 0.6;
