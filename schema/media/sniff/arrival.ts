/** A file of an unsupported type: its common name, and what the caller can do about it. */
export interface Arrived {
  /** As in "This is a ZIP archive." */
  what: string;
  advice: string;
  /** It is not media, but can be a caption file or a script. */
  captions?: true;
}
