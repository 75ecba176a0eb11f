export const DAY_MS = 24 * 3600_000;

/** A moment in ISO 8601, UTC. */
export const iso = (ms: number) => new Date(ms).toISOString();
export const isoOrNull = (ms: number | null) => (ms === null ? null : iso(ms));

/** The UTC day of a moment, `YYYY-MM-DD`. */
export const utcDay = (ms: number) => iso(ms).slice(0, 10);

/** When the UTC day of a moment began. */
export const midnight = (ms: number) => ms - (ms % DAY_MS);
