import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CheckName } from './checks.ts';
import type { Family } from './stated.ts';

/** What became of one request. */
export interface CheckResult {
  check: CheckName;
  verdict: 'right' | 'refused' | 'defect';
  /** What is wrong, or the code of the refusal. */
  detail: string;
  seconds: number;
  /** Milliseconds by which the sound is late, wherever it was measured. */
  late: number[];
}

/** What became of one file; `skipped` says why nothing was asked. */
export interface FileResult {
  /** Path below the folder of the corpus. */
  file: string;
  bytes: number;
  family: Family | null;
  decodes: boolean;
  skipped: string | null;
  /** The checks that were made, or that do not apply to such a source. */
  asked: CheckName[];
  results: CheckResult[];
}

/** One line of JSON a file and run, appended as soon as the file is done; the latest result of each check counts. */
export class Journal {
  readonly entries = new Map<string, FileResult>();
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path)) return;
    const text = readFileSync(path, 'utf8');
    if (text !== '' && !text.endsWith('\n')) appendFileSync(path, '\n');
    for (const line of text.split('\n')) {
      const entry = entryOf(line);
      if (entry) this.#keep(entry);
    }
  }

  add(entry: FileResult): void {
    this.#keep(entry);
    appendFileSync(this.#path, `${JSON.stringify(entry)}\n`);
  }

  /** The checks that are still to be made of a file; `again`: those that found a defect, too. */
  missing(file: string, wanted: readonly CheckName[], again: boolean): CheckName[] {
    const known = this.entries.get(file);
    if (known?.skipped) return [];
    return wanted.filter((name) => {
      const wrong = known?.results.some(({ check, verdict }) => check === name && verdict === 'defect');
      return !known?.asked.includes(name) || (again && wrong);
    });
  }

  #keep(entry: FileResult): void {
    const known = this.entries.get(entry.file);
    const kept = (known?.results ?? []).filter(({ check }) => !entry.asked.includes(check));
    const asked = [...new Set([...(known?.asked ?? []), ...entry.asked])];
    this.entries.set(entry.file, { ...entry, asked, results: [...kept, ...entry.results] });
  }
}

/** A run that was ended while it wrote leaves half a line. */
function entryOf(line: string): FileResult | null {
  try {
    return JSON.parse(line) as FileResult;
  } catch {
    return null;
  }
}

export const hasDefect = ({ results }: FileResult) => results.some(({ verdict }) => verdict === 'defect');
