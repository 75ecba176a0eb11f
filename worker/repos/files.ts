/** The objects of tasks in R2. Every object of a task lies under `t/<task>/`. */
export function filesRepo(bucket: R2Bucket) {
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

    /** Deletes every object of a task, of all its attempts. */
    async removeTask(taskId: string): Promise<void> {
      for (;;) {
        const listed = await bucket.list({ prefix: `t/${taskId}/` });
        if (listed.objects.length > 0) await bucket.delete(listed.objects.map((object) => object.key));
        if (!listed.truncated) return;
      }
    },
  };
}

export type FilesRepo = ReturnType<typeof filesRepo>;
