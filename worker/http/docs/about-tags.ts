import { html } from 'hono/html';
import { examplesAt, socialPicture } from '../../../schema/api/examples.ts';

/** What search engines and sites that link here show of a page. */
export interface About {
  /** Address of the service, for links that have to be whole. */
  publicUrl: string;
  /** One or two sentences. */
  description: string;
}

/** The tags of a page in its head: its one address, what it is about, and how a link to it looks elsewhere. */
export function aboutTags({ publicUrl, description }: About, title: string, path: string) {
  const address = publicUrl + path;
  const picture = `${examplesAt(publicUrl)}/${socialPicture}`;
  return html`<meta name="description" content="${description}">
<link rel="canonical" href="${address}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Spool">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${address}">
<meta property="og:image" content="${picture}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">`;
}
