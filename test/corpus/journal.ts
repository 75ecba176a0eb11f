import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CheckName } from './checks.ts';
import type { Family } from './source-model.ts';

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
  results: CheckResult[];
}

/** One line of JSON a file, appended as soon as the file is done; a later line about the same file counts. */
export class Journal {
  readonly entries = new Map<string, FileResult>();
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path)) return;
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      const entry = entryOf(line);
      if (entry) this.entries.set(entry.file, entry);
    }
  }

  add(entry: FileResult): void {
    this.entries.set(entry.file, entry);
    appendFileSync(this.#path, `${JSON.stringify(entry)}\n`);
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
