/** Radius of the circle from which the bars of the ring go out, as a part of the whole; a cover fits in it. */
export const RING_INSIDE = 0.6;
