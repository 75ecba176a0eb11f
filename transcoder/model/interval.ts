/** Spans of absolute timestamps; null for the file's edge. */
export type Interval = readonly [from: number | null, to: number | null];
