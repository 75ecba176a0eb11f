import { createTestHarness } from 'wrangler';

export interface LocalStore {
  /** The transcoder's settings for this store. */
  env: Record<string, string>;
  bucket: Bucket;
  close: () => Promise<void>;
}

/** What the tests use of an R2 bucket. */
interface Bucket {
  list(): Promise<{ objects: { key: string; size: number }[] }>;
  get(key: string): Promise<{
    arrayBuffer(): Promise<ArrayBuffer>;
    httpMetadata?: { contentType?: string; contentDisposition?: string };
  } | null>;
}

const BUCKET = 'transcoder-test';
const credentials = { accessKeyId: 'test-key', secretAccessKey: 'test-secret-of-the-store' };

/** R2 as wrangler serves it locally, over its S3 API. */
export async function startObjectStore(): Promise<LocalStore> {
  const harness = createTestHarness({
    root: import.meta.dirname,
    workers: [
      {
        config: {
          name: 'store',
          main: '../empty-worker.mjs',
          no_bundle: true,
          compatibility_date: '2026-11-01',
          r2_buckets: [
            {
              binding: 'FILES',
              bucket_name: BUCKET,
              local_dev: { experimental_s3_credentials: credentials },
            },
          ],
        },
      },
    ],
  });
  const { url } = await harness.listen();
  const { FILES } = await harness.getWorker<{ FILES: Bucket }>().getEnv();
  return {
    env: {
      S3_ENDPOINT: new URL('/cdn-cgi/local/r2/s3', url).href,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    bucket: FILES,
    close: () => harness.close(),
  };
}
