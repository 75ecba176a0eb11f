/** Numbers that JSON does not have, but OpenTimelineIO writes. */
const noNumbers = /[+-]?\b(?:Infinity|Inf|NaN)\b/gi;

/** The document of a text. Infinite numbers in it are null. Throws a `SyntaxError`. */
export function parseDocument(text: string): unknown {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return JSON.parse(json);
  } catch {
    return JSON.parse(outsideStrings(json, (part) => part.replaceAll(noNumbers, 'null')));
  }
}

function outsideStrings(json: string, changed: (part: string) => string): string {
  const parts: string[] = [];
  for (let at = 0; at < json.length; ) {
    const quote = json.indexOf('"', at);
    const begins = quote < 0 ? json.length : quote;
    let end = begins + 1;
    while (end < json.length && json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
    parts.push(changed(json.slice(at, begins)), json.slice(begins, end + 1));
    at = end + 1;
  }
  return parts.join('');
}
