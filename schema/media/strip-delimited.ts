/**
 * Removes spans between delimiters such as `<` and `>`, delimiters included. An unclosed delimiter stays. Linear in the text; a
 * regular expression such as `<[^>]*>` is quadratic, because it searches for the end from every `<`.
 */
export function withoutSpans(text: string, delimiters: readonly (readonly [string, string])[]): string {
  const kinds = delimiters.map(([open, close]) => ({ open, close, from: text.indexOf(open) }));
  const kept: string[] = [];
  let at = 0;
  for (;;) {
    let next: (typeof kinds)[number] | undefined;
    for (const kind of kinds) {
      if (kind.from !== -1 && kind.from < at) kind.from = text.indexOf(kind.open, at);
      if (kind.from !== -1 && (!next || kind.from < next.from)) next = kind;
    }
    if (!next) break;
    const end = text.indexOf(next.close, next.from + next.open.length);
    if (end === -1) {
      next.from = -1;
      continue;
    }
    kept.push(text.slice(at, next.from));
    at = end + next.close.length;
  }
  return kept.join('') + text.slice(at);
}
