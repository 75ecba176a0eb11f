/** What a file that we do not read is, as a person would call it, and what to do about it. */
export interface Arrived {
  /** As in "This is a ZIP archive." */
  what: string;
  advice: string;
}
