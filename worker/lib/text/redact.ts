/** In place of a query string. */
export const REDACTED = '?redacted';

/** Removes the query string of a URL, which may contain a secret of the caller. Other text is returned unchanged. */
export function redactUrl(text: string): string {
  if (!/^https?:\/\//i.test(text)) return text;
  const query = text.indexOf('?');
  return query === -1 ? text : text.slice(0, query) + REDACTED;
}
