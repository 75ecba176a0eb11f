/** What the ffmpeg at hand can do. */
export interface Capabilities {
  /** Such as `5.1.9`. */
  version: string;
  encoders: ReadonlySet<string>;
  filters: ReadonlySet<string>;
  /** The transitions of its xfade filter. */
  transitions: ReadonlySet<string>;
}
