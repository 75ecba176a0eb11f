/** A URL as it is shown: its query string may hold a secret of the caller. Other text stays as it is. */
export function redactUrl(text: string): string {
  if (!/^https?:\/\//i.test(text)) return text;
  const query = text.indexOf('?');
  return query === -1 ? text : `${text.slice(0, query)}?redacted`;
}
