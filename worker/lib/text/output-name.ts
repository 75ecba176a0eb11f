import { mediaExtensions } from '../../../schema/media/formats.ts';
import { safeFileName } from './file-name.ts';

/**
 * The name of a download without extension. Any known media extension at the end is removed, because the extension of the
 * result is added: `my.mp4` does not become `my.mp4.mp4`. Other suffixes, as in `v1.2`, are part of the name.
 */
export function outputName(text: string): string {
  const name = safeFileName(text);
  const at = name.lastIndexOf('.');
  if (at < 0 || !mediaExtensions.has(name.slice(at + 1).toLowerCase())) return name;
  return safeFileName(name.slice(0, at));
}
