import type { SpliceRequest } from '../../../../model/splice.ts';
import { type SourceTrack, sourceTrack } from './movie.ts';

/** Tracks of sources, each opened once. */
export class Tracks {
  readonly #found = new Map<string, SourceTrack | null>();

  async of({ source }: SpliceRequest['inputs'][number], id: number): Promise<SourceTrack | null> {
    const key = `${id} ${source.path}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const track = await sourceTrack(source, id);
    this.#found.set(key, track);
    return track;
  }

  close(): void {
    for (const track of this.#found.values()) track?.bytes.close();
    this.#found.clear();
  }
}
