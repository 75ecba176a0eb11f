import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../../harness.ts';
import { checksOf, scenariosOf, startTested } from './conformance.ts';
import { expectedFailures, expectedWithFixtures, needFixtures, revisions } from './expected-failures.ts';

/** The service as it is, and with everything beside it that the suite calls by name. */
const builds = [
  { build: 'the service', entry: 'conformance-worker.ts', leftOut: needFixtures, expected: expectedFailures },
  {
    build: 'a build with the fixtures',
    entry: 'fixtures-worker.ts',
    leftOut: [],
    expected: expectedWithFixtures,
  },
];

describe.each(builds)('$build', ({ entry, leftOut, expected }) => {
  let service: Service;
  const folder = mkdtempSync(join(tmpdir(), 'spool-conformance-'));

  beforeAll(async () => {
    service = await startTested(`test/worker/mcp/${entry}`);
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('expects few failures, each for a reason', () => {
    expect(expected.length).toBeLessThanOrEqual(10);
    for (const { why } of expected) expect(why).not.toBe('');
  });

  it.each(revisions)(
    'conforms to revision %s',
    async (revision) => {
      const all = await checksOf(service, revision, folder);
      const checks = all.filter(({ scenario }) => !leftOut.some((name) => scenario.startsWith(name)));
      // Warnings are about what a server may leave out, such as sessions.
      const failed = checks.filter(({ status }) => status === 'FAILURE');
      const known = expected.filter((one) => one.revision === revision);
      expect(failed.map(({ scenario, id }) => `${scenario}: ${id}`).sort()).toEqual(
        known.map(({ scenario, check }) => `${scenario}: ${check}`).sort(),
      );
      expect([...new Set(all.map(({ scenario }) => scenario))].sort()).toEqual(await scenariosOf(revision));
      const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
      expect(passed).toBeGreaterThan(10);
      console.log(`${revision}: ${passed} checks passed, ${failed.length} failed as expected`);
    },
    180_000,
  );
});
