/** JavaScript, because the set-up reads it before anything is installed: `scripts/lib/programs.mjs`. */

/** The oldest version that knows all options and filters that we use. */
export const OLDEST_FFMPEG = '5.1';

/**
 * The version that ffmpeg or ffprobe states in its banner, such as `5.1.9`; `unknown` if it states none, as builds of git.
 * @param {string} banner
 * @returns {string}
 */
export function versionIn(banner) {
  return /^ff(?:mpeg|probe) version n?(\d+(?:\.\d+)*)/m.exec(banner)?.[1] ?? 'unknown';
}

/**
 * Whether a version is older than another one; one that is unknown is the newest.
 * @param {string} version
 * @param {number} major
 * @param {number} [minor]
 * @returns {boolean}
 */
export function isOlder(version, major, minor = 0) {
  const [ours, after = 0] = version.split('.').map(Number);
  return ours !== undefined && (ours < major || (ours === major && after < minor));
}

/**
 * Whether the service cannot work with this version.
 * @param {string} version
 * @returns {boolean}
 */
export function isTooOld(version) {
  const [major = 0, minor] = OLDEST_FFMPEG.split('.').map(Number);
  return isOlder(version, major, minor);
}
