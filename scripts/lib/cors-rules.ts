import { putHeaders } from '../../schema/api/upload.ts';

/** What the bucket allows pages of other origins: the dashboard sends uploads to it. https://developers.cloudflare.com/r2/buckets/cors/ */
export const corsRules = (publicUrl: string) => ({
  rules: [
    {
      allowed: {
        origins: [publicUrl],
        methods: ['PUT'],
        // Browsers add the type of a file by themselves.
        headers: [...Object.values(putHeaders), 'Content-Type'],
      },
      exposeHeaders: ['ETag'],
      maxAgeSeconds: 3600,
    },
  ],
});
