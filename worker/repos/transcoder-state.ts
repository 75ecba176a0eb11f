import { type TranscoderState, transcoderState } from '../../schema/task/transcoder-state.ts';

const KEY = 'service/transcoder.json';

/** The newest word of any container, for whoever asks without a key. No object of a task lies there. */
export function transcoderStateRepo(bucket: R2Bucket) {
  return {
    /** @returns null where no container has started yet, or one of another version has written */
    async read(): Promise<TranscoderState | null> {
      const object = await bucket.get(KEY);
      return object ? (transcoderState.safeParse(await object.json()).data ?? null) : null;
    },

    async write(state: TranscoderState): Promise<void> {
      await bucket.put(KEY, JSON.stringify(state));
    },
  };
}
