/** The body with another URL at this JSON pointer. */
export function withUrl(
  body: Record<string, unknown>,
  pointer: string,
  url: string,
): Record<string, unknown> {
  const copy: Record<string, unknown> = structuredClone(body);
  const keys = pointer.slice(1).split('/');
  const last = keys.pop() ?? '';
  const holder = keys.reduce<Record<string, unknown>>(
    (value, key) => value[key] as Record<string, unknown>,
    copy,
  );
  holder[last] = url;
  return copy;
}
