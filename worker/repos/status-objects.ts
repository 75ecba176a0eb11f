import { unsavedProbes } from '../../schema/api/status.ts';
import type { Probe } from './status.ts';

/** Outside the prefixes of tasks. */
const PREFIX = 'service/status';
const UNSAVED = `${PREFIX}/unsaved.json`;

/**
 * The objects of the status page in R2. A probe writes under a `slot`, which runs at the same time do not share; slots come round
 * again, so what an interrupted probe leaves is overwritten.
 */
export function statusObjectsRepo(bucket: R2Bucket) {
  return {
    /** Writes an object, reads it and deletes it. @throws unless all succeed */
    async putGetDelete(slot: string): Promise<void> {
      const key = `${PREFIX}/probe-${slot}`;
      await bucket.put(key, key);
      const text = await (await bucket.get(key))?.text();
      await bucket.delete(key);
      if (text !== key) throw new Error('the object that was written cannot be read');
    },

    /** Notes that the message of this slot arrived. */
    async noteEcho(slot: string, sentAt: number): Promise<void> {
      await bucket.put(`${PREFIX}/queue-${slot}`, String(sentAt));
    },

    /** When the message that last arrived for this slot was sent; null if none did. */
    async echoed(slot: string): Promise<number | null> {
      const text = await (await bucket.get(`${PREFIX}/queue-${slot}`))?.text();
      return text === undefined ? null : Number(text);
    },

    /** Probes that the database could not take. */
    async unsaved(): Promise<Probe[]> {
      const object = await bucket.get(UNSAVED);
      return object ? (unsavedProbes.safeParse(await object.json()).data ?? []) : [];
    },

    async setUnsaved(probes: readonly Probe[]): Promise<void> {
      if (probes.length === 0) await bucket.delete(UNSAVED);
      else await bucket.put(UNSAVED, JSON.stringify(probes));
    },

    /** Stores the file that probe tasks read, unless it is there. */
    async ensure(key: string, mediaType: string, content: () => Uint8Array): Promise<void> {
      if (await bucket.head(key)) return;
      await bucket.put(key, content(), { httpMetadata: { contentType: mediaType } });
    },
  };
}
