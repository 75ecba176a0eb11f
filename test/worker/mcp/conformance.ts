import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Service, startService } from '../../harness.ts';

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

/** A service that the suite can test: `entry` adds an API key to its requests. */
export async function startTested(entry: string): Promise<Service> {
  const service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9' }, { entry });
  const { key } = await service.createAccount('elite');
  await service.request('/conformance-key', { method: 'POST', body: key });
  return service;
}

/** The checks of every scenario that applies to a revision. The suite writes its results to `folder`. */
export async function checksOf(service: Service, revision: string, folder: string): Promise<Check[]> {
  const results = join(folder, revision);
  const url = new URL('/mcp', service.url).href;
  const options = ['--url', url, '--suite', 'all', '--spec-version', revision, '-o', results];
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

/** The names of the scenarios that the suite has for servers of a revision. */
export async function scenariosOf(revision: string): Promise<string[]> {
  const { stdout } = await run(process.execPath, [SUITE, 'list', '--server', '--spec-version', revision]);
  return [...stdout.matchAll(/^ *- (\S+)/gm)].map(([, name = '']) => name).sort();
}
