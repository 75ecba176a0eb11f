const PREFIX = 'outbox/';
const SHOWN = 50;

export interface OutboxMail {
  to: string;
  subject: string;
  text: string;
  /** Epoch ms. */
  sentAt: number;
}

/** Mails as objects of the bucket, in place of sending them. Locally the bucket is a folder of the state folder. */
export function outboxRepo(bucket: R2Bucket) {
  return {
    async put(id: string, mail: OutboxMail): Promise<void> {
      await bucket.put(`${PREFIX}${id}.json`, JSON.stringify(mail));
    },

    /** Newest first. */
    async list(): Promise<OutboxMail[]> {
      const keys: string[] = [];
      for (let cursor: string | undefined, more = true; more; ) {
        const page = await bucket.list({ prefix: PREFIX, ...(cursor ? { cursor } : {}) });
        keys.push(...page.objects.map(({ key }) => key));
        cursor = page.truncated ? page.cursor : undefined;
        more = page.truncated;
      }
      // Ids sort by time.
      const newest = keys.sort().reverse().slice(0, SHOWN);
      const mails = await Promise.all(newest.map(async (key) => (await bucket.get(key))?.json<OutboxMail>()));
      return mails.flatMap((mail) => mail ?? []);
    },
  };
}
