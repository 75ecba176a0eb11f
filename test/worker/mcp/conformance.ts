import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startService } from '../../harness.ts';
import { resultOf, startStandIn } from '../stand-in.ts';
import type { Revision } from './expected-failures.ts';
import { outcomeOf } from './fixtures/task-tools.ts';

/** The conformance suite of the protocol. */
const SUITE = join(
  import.meta.dirname,
  '../../../node_modules/@modelcontextprotocol/conformance/dist/index.js',
);
const run = promisify(execFile);

export interface Check {
  scenario: string;
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

export interface Tested {
  url: URL;
  close(): Promise<void>;
}

/** A service that the suite can test: `entry` adds an API key to its requests. Its tasks end as their names say. */
export async function startTested(entry: string): Promise<Tested> {
  const timers = new Set<NodeJS.Timeout>();
  const transcoder = await startStandIn({
    onJob(job, standIn) {
      const { status, seconds } = outcomeOf(job.output_name);
      const report = () =>
        status === 'failed'
          ? standIn.report(job, { type: 'failed', failure })
          : standIn.report(job, { type: 'completed', result: resultOf(job, 'x') });
      timers.add(setTimeout(report, seconds * 1000));
    },
  });
  const service = await startService({ TRANSCODER_URL: transcoder.origin }, { entry });
  const { key } = await service.createAccount('elite');
  await service.request('/conformance-key', { method: 'POST', body: key });
  return {
    url: service.url,
    async close() {
      for (const timer of timers) clearTimeout(timer);
      await service.close();
      await transcoder.close();
    },
  };
}

const failure = { code: 'source_not_media', detail: 'It is a text.', stage: 'analyzing' } as const;

/** The checks of every scenario that applies to a revision. The suite writes its results to `folder`. */
export async function checksOf(
  { url }: Tested,
  revision: Revision,
  extensions: boolean,
  folder: string,
): Promise<Check[]> {
  const results = join(folder, revision);
  // Extensions belong to no revision; only the requirements of one have them.
  const which = extensions ? ['--requirements', revision] : ['--suite', 'all', '--spec-version', revision];
  const options = ['--url', new URL('/mcp', url).href, ...which, '-o', results];
  // It exits with 1 if a check failed; the files say which.
  await run(process.execPath, [SUITE, 'server', ...options], { timeout: 120_000 }).catch(() => {});
  return readdirSync(results).flatMap((name) => {
    const scenario = name.replace(/^server-|-\d{4}-\d\d-\d\dT.*$/g, '');
    const checks: Omit<Check, 'scenario'>[] = JSON.parse(
      readFileSync(join(results, name, 'checks.json'), 'utf8'),
    );
    return checks.map((check) => ({ scenario, ...check }));
  });
}

/** The names of the scenarios that the suite has for servers of a revision, and of the tasks extension. */
export async function scenariosOf(revision: Revision, extensions: boolean): Promise<string[]> {
  const list = async (...options: string[]) =>
    (await run(process.execPath, [SUITE, 'list', '--server', ...options])).stdout;
  const ofRevision = (await list('--spec-version', revision)).matchAll(/^ *- (\S+)/gm);
  const ofExtensions = extensions ? (await list()).matchAll(/^ *- (tasks-\S+) \[extension\]/gm) : [];
  return [...ofRevision, ...ofExtensions].map(([, name = '']) => name).sort();
}
