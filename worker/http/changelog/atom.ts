import { html } from 'hono/html';

export interface Feed {
  title: string;
  /** Address of the feed itself. */
  url: string;
  /** Address of the page that it is the feed of. */
  page: string;
  entries: FeedEntry[];
}

interface FeedEntry {
  /** Never changes. */
  id: string;
  title: string;
  url: string;
  /** ISO 8601. */
  updated: string;
  published: string;
  /** HTML, already escaped. */
  content: string;
}

/** Of a feed without entries: Atom requires a time, and nothing has happened yet. */
const NEVER = '1970-01-01T00:00:00.000Z';

/** An Atom feed, RFC 4287. */
export async function atomFeed({ title, url, page, entries }: Feed): Promise<string> {
  const updated = [NEVER, ...entries.map((entry) => entry.updated)].sort().at(-1);
  const feed = await html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${url}</id>
<title>${title}</title>
<updated>${updated}</updated>
<author><name>Spool</name></author>
<link rel="self" type="application/atom+xml" href="${url}"/>
<link rel="alternate" type="text/html" href="${page}"/>
${entries.map(
  (entry) => html`<entry>
<id>${entry.id}</id>
<title>${entry.title}</title>
<published>${entry.published}</published>
<updated>${entry.updated}</updated>
<link rel="alternate" type="text/html" href="${entry.url}"/>
<content type="html">${entry.content}</content>
</entry>
`,
)}</feed>
`;
  return String(feed);
}

export const atomType = { 'content-type': 'application/atom+xml; charset=utf-8' };

/** Browsers and readers find the feed of a page through this link. */
export const feedLink = (path: string, title: string) =>
  html`<link rel="alternate" type="application/atom+xml" title="${title}" href="${path}">`;
