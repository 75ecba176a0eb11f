import { slug } from '../../lib/text/slug.ts';

/** A table of `bench/RESULTS.md`. */
interface Table {
  columns: string[];
  rows: string[][];
}

/** What one bench has measured. */
export interface Section {
  title: string;
  /** Of the heading at `/docs/benchmarks`. */
  anchor: string;
  tables: Table[];
}

export interface Results {
  /** What it was measured on, line by line: `Machine`, `ffmpeg`, `Node`, `Date`. */
  stand: Record<string, string>;
  sections: Section[];
}

/** Where a figure stands. A row is found by how its first cells begin, a column by its name; the first that fits is taken. */
export interface Place {
  section: string;
  table?: number;
  row: readonly string[];
  column: string;
}

const cellsOf = (line: string) =>
  line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());

const isRule = (cells: readonly string[]) => cells.every((cell) => /^:?-+:?$/.test(cell));

export function readResults(markdown: string): Results {
  const [head = '', ...parts] = markdown.split(/^## /m);
  const stand = Object.fromEntries(
    [...head.matchAll(/^- (\w+): (.+)$/gm)].map(([, name, text]) => [name, text]),
  );
  const sections = parts.map((part) => {
    const title = part.slice(0, part.indexOf('\n'));
    const tables = [...part.matchAll(/(?:^\|.*\|$\n?)+/gm)].map(([text]) => {
      const [columns = [], ...rows] = text.trim().split('\n').map(cellsOf);
      return { columns, rows: rows.filter((cells) => !isRule(cells)) };
    });
    return { title, anchor: slug(title), tables };
  });
  return { stand, sections };
}

/** The text of a cell. Throws if there is none: a bench that is renamed has to be renamed where it is quoted. */
export function cellAt(results: Results, place: Place): string {
  const { section, table = 0, row, column } = place;
  const found = results.sections.find(({ title }) => title === section)?.tables[table];
  const cells = found?.rows.find((each) => row.every((start, index) => each[index]?.startsWith(start)));
  const cell = cells?.[found?.columns.indexOf(column) ?? -1];
  if (!cell) throw new Error(`bench/RESULTS.md has no cell ${JSON.stringify(place)}`);
  return cell;
}

/** A figure to three digits. */
export function figureAt(results: Results, place: Place): string {
  const text = cellAt(results, place);
  const value = Number(text.replace(/ %$/, ''));
  if (Number.isNaN(value))
    throw new Error(`bench/RESULTS.md: ${text} is not a number, ${JSON.stringify(place)}`);
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}
