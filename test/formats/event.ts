/** A span of the source in an edit, counted in frames, as a reader of an export sees it; the ends are excluded. */
export interface ReadEvent {
  from: number;
  to: number;
  at: number;
  until: number;
  /** Which of picture and sound are heard or seen. */
  shows: 'both' | 'picture' | 'sound' | 'nothing';
}

/** Throws where a document does not follow its format. */
export function demand(holds: unknown, what: string): asserts holds {
  if (!holds) throw new Error(what);
}
