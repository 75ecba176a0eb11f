import { type TranscoderState, transcoderState } from '../../schema/task/transcoder-state.ts';

const KEY = 'service/transcoder.json';

/** The latest state reported by any container, readable without a key. Its object is outside the prefixes of tasks. */
export function transcoderStateRepo(bucket: R2Bucket) {
  return {
    /** @returns null if no container has started yet, or another version wrote the state */
    async read(): Promise<TranscoderState | null> {
      const object = await bucket.get(KEY);
      return object ? (transcoderState.safeParse(await object.json()).data ?? null) : null;
    },

    async write(state: TranscoderState): Promise<void> {
      await bucket.put(KEY, JSON.stringify(state));
    },
  };
}
