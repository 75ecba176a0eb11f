import { putHeaders } from '../../schema/api/upload.ts';

/**
 * What the bucket allows pages of other origins: the dashboard sends uploads to it, and so do the sites of callers.
 * https://developers.cloudflare.com/r2/buckets/cors/
 */
export const corsRules = (publicUrl: string, others: readonly string[]) => ({
  rules: [
    {
      allowed: {
        origins: [...new Set([publicUrl, ...others.map(originOf)])],
        methods: ['PUT'],
        // Browsers add the type of a file by themselves.
        headers: [...Object.values(putHeaders), 'Content-Type'],
      },
      exposeHeaders: ['ETag'],
      maxAgeSeconds: 3600,
    },
  ],
});

/** R2 compares origins as text, so a path or a final slash would match no page. */
function originOf(address: string): string {
  const url = URL.parse(address);
  if (url && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(address))
    return url.origin;
  throw new Error(`${address} is not an origin. Give scheme and host, such as https://shop.example.`);
}
