/** An interval of the file's timestamps; null means the start or end of the file. */
export type Interval = readonly [from: number | null, to: number | null];
