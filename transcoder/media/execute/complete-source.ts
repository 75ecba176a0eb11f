import { stat } from 'node:fs/promises';
import type { MediaSource, SourceFile } from '../../model/source/media-source.ts';

/** Wraps a complete local file as a source. */
export async function completeSource({ path, format }: SourceFile): Promise<MediaSource> {
  const bytes = (await stat(path)).size;
  return {
    ...{ format, bytes, indexed: false },
    whole: async () => ({ path, format }),
    parts: () => ({ path, format, bytes, present: null, near: null }),
    bring: async () => [0, bytes],
  };
}
