import type { Laid, Row } from './layout.ts';

/**
 * `{` begins an override block and `\` a tag. U+2060, an invisible joiner, keeps the backslash from being parsed as a
 * tag.
 */
export function escaped(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('\\', '\\\u2060')
    .replaceAll('{', '\\{')
    .replaceAll('}', '\\}');
}

const n = (value: number) => Number(value.toFixed(2));

/**
 * The text of a row with its fonts and sizes, and a space in place of each emoji.
 * @param tags Override blocks by the offset before which they stand. @param spacing Letter spacing in line heights.
 */
export function rowText(row: Row, laid: Laid, tags: ReadonlyMap<number, string>, spacing: number): string {
  const { text, set } = row;
  const runs = new Map(set.runs.map((run) => [run.from, run]));
  return set.clusters
    .map(({ from, to, width, emoji }) => {
      const run = runs.get(from);
      const font = run ? `{\\fn${run.family}\\fs${n(run.size * laid.line)}}` : '';
      const wide = n((width - (emoji?.space ?? 0)) * laid.line);
      const shown = emoji
        ? `{\\fsp${wide}}\\h{\\fsp${n(spacing * laid.line)}}`
        : escaped(text.slice(from, to));
      return `${tags.get(from) ?? ''}${font}${shown}`;
    })
    .join('');
}
