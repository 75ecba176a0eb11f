/** Features of the installed ffmpeg. */
export interface Capabilities {
  /** Such as `5.1.9`. */
  version: string;
  encoders: ReadonlySet<string>;
  filters: ReadonlySet<string>;
  /** Transitions of its xfade filter. */
  transitions: ReadonlySet<string>;
}
