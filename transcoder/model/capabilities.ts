/** Features of the installed ffmpeg. */
export interface Capabilities {
  /** Such as `5.1.9`. */
  version: string;
  encoders: ReadonlySet<string>;
  filters: ReadonlySet<string>;
  /** Transitions of its xfade filter. */
  transitions: ReadonlySet<string>;
}

/** Whether a version is older than another one; one that is unknown is the newest. */
export function isOlder(version: string, major: number, minor = 0): boolean {
  const [ours, after = 0] = version.split('.').map(Number);
  return ours !== undefined && (ours < major || (ours === major && after < minor));
}
