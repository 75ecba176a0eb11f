import { stat } from 'node:fs/promises';
import type { MediaSource, SourceFile } from '../../model/media-source.ts';

/** A source that is a file of ours, with nothing missing. */
export async function completeSource({ path, format }: SourceFile): Promise<MediaSource> {
  const bytes = (await stat(path)).size;
  return {
    ...{ format, bytes, indexed: false },
    whole: async () => ({ path, format }),
    parts: () => ({ path, format, bytes, present: null, near: null }),
    bring: async () => [0, bytes],
  };
}
