/** Characters of a line, without its indent. */
const WIDTH = 72;

/** How a language writes its literals. The defaults are JSON. */
interface Notation {
  literal?: (value: unknown) => string;
  indent?: string;
  /** Inside the braces of an object on one line. */
  space?: string;
  /** Whether a comma follows the last entry of several lines. */
  trailing?: boolean;
}

/** A value as people write it by hand: a list or an object is on one line if it fits. */
export function jsonText(value: unknown, notation: Notation = {}, before = ''): string {
  const { literal = JSON.stringify, indent = '  ', space = ' ', trailing = false } = notation;
  if (typeof value !== 'object' || value === null) return literal(value);
  const isList = Array.isArray(value);
  const entries: [string, unknown][] = isList
    ? value.map((entry) => ['', entry])
    : Object.entries(value)
        .filter(([, entry]) => entry !== undefined)
        .map(([key, entry]) => [`${JSON.stringify(key)}: `, entry]);
  const [open, close] = isList ? '[]' : '{}';
  if (entries.length === 0) return `${open}${close}`;
  const print = (deeper: string) => entries.map(([key, entry]) => key + jsonText(entry, notation, deeper));
  const gap = isList ? '' : space;
  const line = `${open}${gap}${print(before).join(', ')}${gap}${close}`;
  if (before !== '' && line.length <= WIDTH && !line.includes('\n')) return line;
  const deeper = before + indent;
  return `${open}\n${print(deeper)
    .map((text) => deeper + text)
    .join(',\n')}${trailing ? ',' : ''}\n${before}${close}`;
}
