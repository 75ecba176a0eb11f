import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { namePattern, projectOf } from './fault.ts';

const LONGEST_MS = 240_000;

const report = z.object({
  testResults: z.array(
    z.object({
      message: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
});

export interface TestRun {
  /** Tests that ran: one for each row of a table. */
  tests: { fullName: string; failures: string[] }[];
  /** Why there are none: the file did not load, or vitest ended without a report. */
  broken: string | null;
}

const running = new Set<() => void>();

/** Ends every vitest that runs. */
export function endRuns(): void {
  for (const end of running) end();
}

/** Runs the tests of one file that have these names, in a copy of the repository. */
export async function runNamed(root: string, file: string, names: readonly string[]): Promise<TestRun> {
  const directory = mkdtempSync(join(tmpdir(), 'spool-guards-'));
  const output = join(directory, 'report.json');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const chosen = ['--project', projectOf(file), '-t', names.map(namePattern).join('|')];
  const child = spawn(
    process.execPath,
    [vitest, 'run', file, ...chosen, '--reporter=json', `--outputFile=${output}`],
    { cwd: root, detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2000);
  });
  const end = () => void (child.pid && child.exitCode === null && process.kill(-child.pid, 'SIGKILL'));
  const timer = setTimeout(end, LONGEST_MS);
  running.add(end);
  try {
    await new Promise((resolve) => child.once('close', resolve));
    return read(output, said);
  } finally {
    clearTimeout(timer);
    running.delete(end);
    rmSync(directory, { recursive: true, force: true });
  }
}

function read(output: string, said: string): TestRun {
  let text: string;
  try {
    text = readFileSync(output, 'utf8');
  } catch {
    return { tests: [], broken: `vitest gave no report: ${said}` };
  }
  const files = report.parse(JSON.parse(text)).testResults;
  const tests = files
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed' || status === 'failed')
    .map(({ fullName, failureMessages }) => ({ fullName, failures: failureMessages }));
  const message = files.map((file) => file.message).find((each) => each !== '');
  return { tests, broken: tests.length > 0 ? null : (message ?? 'no test has this name') };
}
