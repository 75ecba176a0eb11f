import { mediaExtensions } from '../../schema/media/formats.ts';
import { safeFileName } from './file-name.ts';

/**
 * The name of a download without its extension, which is that of the result: a known extension at its end is left out, whichever
 * it is, so that `my.mp4` does not become `my.mp4.mp4`. Others, as in `v1.2`, are part of the name.
 */
export function outputName(text: string): string {
  const name = safeFileName(text);
  const at = name.lastIndexOf('.');
  if (at < 0 || !mediaExtensions.has(name.slice(at + 1).toLowerCase())) return name;
  return safeFileName(name.slice(0, at));
}
