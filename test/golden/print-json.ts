const WIDTH = 110;

/**
 * JSON for reviewers: objects and lists that fit on a line stand on one, and of the others the plain values share lines, so that a new
 * field is a line or two of a difference.
 */
export function printJson(value: unknown): string {
  return `${printed(value, '', 0)}\n`;
}

/** `taken`: how much of the first line its key and comma need. */
function printed(value: unknown, indent: string, taken: number): string {
  const flat = onOneLine(value);
  if (isPlain(value) || indent.length + taken + flat.length <= WIDTH) return flat;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => ({ key: '', part: item }))
    : Object.entries(Object(value)).map(([name, part]) => ({ key: `${JSON.stringify(name)}: `, part }));
  const lines: { text: string; open: boolean }[] = [];
  for (const { key, part } of parts) {
    const text = `${key}${printed(part, inner, key.length + 1)}`;
    const open = isPlain(part) || (Array.isArray(part) && part.every(isPlain) && !text.includes('\n'));
    const last = lines.at(-1);
    const longer = `${last?.text}, ${text}`;
    if (open && last?.open && inner.length + longer.length < WIDTH) last.text = longer;
    else lines.push({ text, open });
  }
  const body = lines.map(({ text }) => `${inner}${text}`).join(',\n');
  return Array.isArray(value) ? `[\n${body}\n${indent}]` : `{\n${body}\n${indent}}`;
}

const isPlain = (value: unknown) => typeof value !== 'object' || value === null;

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${onOneLine(field)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}
