import { EMPTY_WORKER, startLocalWorker } from '../fixtures/local-worker.ts';

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

/** R2 as `wrangler dev` serves it locally, over its S3 API. */
export async function startObjectStore(): Promise<LocalStore> {
  const worker = await startLocalWorker({
    ...{ name: 'store', ...EMPTY_WORKER },
    r2Buckets: { FILES: { id: BUCKET, s3Credentials: credentials } },
  });
  const { FILES } = await worker.env<{ FILES: Bucket }>();
  return {
    env: {
      S3_ENDPOINT: new URL('/cdn-cgi/local/r2/s3', worker.url).href,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    bucket: FILES,
    close: () => worker.close(),
  };
}
