import { etag } from 'hono/etag';
import { asMarkdown } from './as-markdown.ts';
import { versionedAssets } from './versioned-assets.ts';

/** What every public page has besides its headers. The ETag is that of the text as it is sent: a new style is a new page. */
export const publicPage = [etag(), versionedAssets, asMarkdown] as const;
