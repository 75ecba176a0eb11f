import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Service, startService } from '../../harness.ts';
import { expectedFailures, needFixtures, revisions } from './expected-failures.ts';

/** The conformance suite of the protocol, against the service as it is. */
const SUITE = join(
  import.meta.dirname,
  '../../../node_modules/@modelcontextprotocol/conformance/dist/index.js',
);
const run = promisify(execFile);

let service: Service;
const folder = mkdtempSync(join(tmpdir(), 'spool-conformance-'));

beforeAll(async () => {
  service = await startService(
    { TRANSCODER_URL: 'http://127.0.0.1:9' },
    { entry: 'test/worker/mcp/conformance-worker.ts' },
  );
  const { key } = await service.createAccount('elite');
  await service.request('/conformance-key', { method: 'POST', body: key });
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

/** The checks of every scenario that applies, by the name of the scenario. */
async function checksOf(revision: string): Promise<Map<string, Check[]>> {
  const results = join(folder, revision);
  const url = new URL('/mcp', service.url).href;
  const options = ['--url', url, '--suite', 'all', '--spec-version', revision, '-o', results];
  // It exits with 1 if a check failed; the files say which.
  await run(process.execPath, [SUITE, 'server', ...options], { timeout: 120_000 }).catch(() => {});
  return new Map(
    readdirSync(results).map((name) => [
      name.replace(/^server-|-\d{4}-\d\d-\d\dT.*$/g, ''),
      JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8')) as Check[],
    ]),
  );
}

it('expects few failures, each for a reason', () => {
  expect(expectedFailures.length).toBeLessThanOrEqual(10);
  for (const { why } of expectedFailures) expect(why).not.toBe('');
});

it.each(revisions)(
  'conforms to revision %s',
  async (revision) => {
    const all = [...(await checksOf(revision))];
    const own = all.filter(([scenario]) => !needFixtures.some((name) => scenario.startsWith(name)));
    const checks = own.flatMap(([scenario, list]) => list.map((check) => ({ scenario, ...check })));
    // Warnings are about what a server may leave out, such as sessions.
    const failed = checks.filter(({ status }) => status === 'FAILURE');
    const expected = expectedFailures.filter((one) => one.revision === revision);
    const nameOf = ({ scenario, check }: { scenario: string; check: string }) => `${scenario}: ${check}`;
    expect(failed.map(({ scenario, id }) => nameOf({ scenario, check: id })).sort()).toEqual(
      expected.map(nameOf).sort(),
    );
    const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
    expect(passed).toBeGreaterThan(10);
    console.log(`${revision}: ${passed} checks passed, ${failed.length} failed as expected`);
  },
  180_000,
);
