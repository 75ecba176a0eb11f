import { uploadNoteSuffix } from '../../schema/task/wire.ts';

/** Marks the error for an upload that was already completed or aborted: https://developers.cloudflare.com/r2/api/error-codes/ */
const NO_SUCH_UPLOAD = '(10024)';

/** The objects of tasks in R2. Every object of a task has the prefix `t/<task>/`. */
export function filesRepo(bucket: R2Bucket) {
  /** Aborts the multipart upload that a note refers to. Otherwise its parts would remain, and no listing shows them. */
  async function endUpload(note: string): Promise<void> {
    const uploadId = await (await bucket.get(note))?.text();
    if (!uploadId) return;
    try {
      await bucket.resumeMultipartUpload(note.slice(0, -uploadNoteSuffix.length), uploadId).abort();
    } catch (error) {
      if (!String(error).includes(NO_SUCH_UPLOAD)) throw error;
    }
  }

  /** Deletes objects; deleting the note of an upload also aborts the upload. Up to 1000 keys. */
  async function remove(keys: readonly string[]): Promise<void> {
    await Promise.all(keys.filter((key) => key.endsWith(uploadNoteSuffix)).map(endUpload));
    if (keys.length > 0) await bucket.delete([...keys]);
  }

  return {
    async read(key: string, range?: { offset: number; length: number }): Promise<ReadableStream | null> {
      const object = await bucket.get(key, range ? { range } : {});
      return object?.body ?? null;
    },

    async size(key: string): Promise<{ size: number; etag: string; mediaType: string } | null> {
      const object = await bucket.head(key);
      if (!object) return null;
      return {
        size: object.size,
        etag: object.httpEtag,
        mediaType: object.httpMetadata?.contentType ?? 'application/octet-stream',
      };
    },

    /** Up to `limit` keys under a prefix after this one, and whether there are more. */
    async keysAfter(
      prefix: string,
      after: string,
      limit: number,
    ): Promise<{ keys: string[]; more: boolean }> {
      const listed = await bucket.list({ prefix, limit, ...(after === '' ? {} : { startAfter: after }) });
      return { keys: listed.objects.map(({ key }) => key), more: listed.truncated };
    },

    remove,

    /** Deletes every object of a task, from all its attempts. */
    async removeTask(taskId: string): Promise<void> {
      for (;;) {
        const listed = await bucket.list({ prefix: `t/${taskId}/` });
        await remove(listed.objects.map((object) => object.key));
        if (!listed.truncated) return;
      }
    },
  };
}
