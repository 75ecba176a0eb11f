import { UsageError } from '../exit-codes.ts';
import type { Options } from '../flags.ts';

/** A command that is no operation. */
export interface OwnCommand {
  /** What comes after its name, such as `TASK…`. */
  parameters: string;
  /** How many words without a flag it takes. */
  most: number;
  summary: string;
  /** A paragraph for its help; empty if the summary says it all. */
  details: string;
  options: Options;
  examples: readonly string[];
  run: (positionals: string[], values: Record<string, unknown>) => Promise<void>;
}

/** Words that a command would ignore are a mistake. @throws UsageError */
export function checkWords(name: string, { most, options }: OwnCommand, words: readonly string[]): void {
  const extra = words[most];
  if (extra === undefined) return;
  const meant = 'url' in options && /^https?:/.test(extra) ? ` Did you mean --url ${extra}?` : '';
  throw new UsageError(
    `"${extra}" is one word too many for spool ${name}.${meant} See spool ${name} --help.`,
  );
}

export const serviceOption = {
  url: { type: 'string', about: 'Address of the service.' },
} as const satisfies Options;
export const jsonOption = { json: { type: 'boolean', about: 'Print JSON.' } } as const satisfies Options;

export const printJson = (value: unknown) => process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);

/** A table for people; the columns are as wide as their longest cell. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  for (const row of rows) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
}
