import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checksOf, scenariosOf, startTested, type Tested } from './conformance.ts';
import {
  expectedFailures,
  expectedWithFixtures,
  needFixtures,
  newest,
  revisions,
} from './expected-failures.ts';

const builds = [
  {
    build: 'the service',
    entry: 'conformance-worker.ts',
    leftOut: needFixtures,
    expected: expectedFailures,
    extensions: false,
  },
  {
    build: 'the service with the fixtures',
    entry: 'fixtures-worker.ts',
    leftOut: [],
    expected: expectedWithFixtures,
    extensions: true,
  },
];

describe.each(builds)('$build', ({ entry, leftOut, expected, extensions }) => {
  let service: Tested;
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
      const withExtensions = extensions && revision === newest;
      const all = await checksOf(service, revision, withExtensions, folder);
      const checks = all.filter(({ scenario }) => !leftOut.some((name) => scenario.startsWith(name)));
      // Warnings are about what a server may leave out, such as sessions.
      const failed = checks.filter(({ status }) => status === 'FAILURE');
      const known = expected.filter((one) => one.revision === revision);
      expect(failed.map(({ scenario, id }) => `${scenario}: ${id}`).sort()).toEqual(
        known.map(({ scenario, check }) => `${scenario}: ${check}`).sort(),
      );
      expect([...new Set(all.map(({ scenario }) => scenario))].sort()).toEqual(
        await scenariosOf(revision, withExtensions),
      );
      const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
      expect(passed).toBeGreaterThan(10);
      console.log(`${revision}: ${passed} checks passed, ${failed.length} failed as expected`);
    },
    180_000,
  );
});
