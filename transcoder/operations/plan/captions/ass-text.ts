import { hundredth as n } from './ass-drawing.ts';
import type { Laid, Row } from './layout.ts';
import type { Look } from './presets.ts';

/**
 * `{` begins an override block and `\` a tag. U+2060, an invisible joiner, keeps the backslash from being parsed as a
 * tag.
 */
export function escaped(text: string): string {
  return text
    .replace(/(?:[^\S\u00a0\u202f]|\p{Cc})+/gu, ' ')
    .replaceAll('\\', '\\\u2060')
    .replaceAll('{', '\\{')
    .replaceAll('}', '\\}');
}

/**
 * The text of a row with its fonts and sizes, and a space in place of each emoji.
 * @param tags Override blocks by the offset before which they stand.
 */
export function rowText(row: Row, laid: Laid, tags: ReadonlyMap<number, string>, look: Look): string {
  const { text, set } = row;
  const runs = new Map(set.runs.map((run) => [run.from, run]));
  const { bold } = look;
  let weight = { bold, italic: false };
  const letters = set.clusters
    .map(({ from, to, width, emoji }) => {
      const run = runs.get(from);
      const font = run ? `{\\fn${run.family}\\fs${n(run.size * laid.line)}${turnedTo(run, weight)}}` : '';
      weight = run ?? weight;
      const wide = n((width - (emoji?.space ?? 0)) * laid.line);
      const shown = emoji
        ? `{\\fsp${wide}}\\h{\\fsp${n(look.spacing * laid.line)}}`
        : escaped(text.slice(from, to));
      return `${tags.get(from) ?? ''}${font}${shown}`;
    })
    .join('');
  const back = turnedTo({ bold, italic: false }, weight);
  return back === '' ? letters : `${letters}{${back}}`;
}

interface Weight {
  bold: boolean;
  italic: boolean;
}

/** Tags for what differs. */
const turnedTo = (to: Weight, from: Weight) =>
  `${to.bold === from.bold ? '' : `\\b${Number(to.bold)}`}${to.italic === from.italic ? '' : `\\i${Number(to.italic)}`}`;
