import { AwsV4Signer } from 'aws4fetch';
import type { Config } from '../env.ts';

interface Put {
  key: string;
  /** Signed with the URL, so another length is refused. */
  bytes: number;
  /** Signed with the URL; the sender has to send them as they are. */
  headers?: Record<string, string>;
  part?: { number: number; multipartId: string };
  /** Epoch ms. */
  expiresAt: number;
}

/** Whether the settings name an object store that callers can write to. */
export function canPresign({ S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }: Config): boolean {
  return URL.canParse(S3_ENDPOINT) && S3_ACCESS_KEY_ID !== '' && S3_SECRET_ACCESS_KEY !== '';
}

/**
 * A URL that stores exactly one object, or one part of it, with exactly this length, until it expires.
 * https://developers.cloudflare.com/r2/api/s3/presigned-urls/
 */
export async function presignedPut(config: Config, put: Put, now: number): Promise<string> {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config;
  const url = new URL(`${S3_ENDPOINT.replace(/\/$/, '')}/${S3_BUCKET}/${put.key}`);
  if (put.part) {
    url.searchParams.set('partNumber', String(put.part.number));
    url.searchParams.set('uploadId', put.part.multipartId);
  }
  const seconds = Math.max(1, Math.floor((put.expiresAt - now) / 1000));
  url.searchParams.set('X-Amz-Expires', String(seconds));
  const signer = new AwsV4Signer({
    method: 'PUT',
    url: url.href,
    headers: { ...put.headers, 'content-length': String(put.bytes) },
    service: 's3',
    region: 'auto',
    signQuery: true,
    // Otherwise the length would not be signed.
    allHeaders: true,
    datetime: new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  });
  return (await signer.sign()).url.href;
}
