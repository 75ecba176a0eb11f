import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Roughly how many seconds the longest files take on two cores. */
export const longFiles: Readonly<Record<string, number>> = {
  'test/security/memory.test.ts': 240,
  'test/e2e/dashboard-playground.test.ts': 230,
  'test/media/sources/oddities.test.ts': 200,
  'test/media/captions/captions-heard.test.ts': 190,
  'test/media/timing/long.test.ts': 173,
  'test/e2e/failures.test.ts': 170,
  'test/e2e/scripts-start.test.ts': 160,
  'test/media/cut/identity.test.ts': 150,
  'test/e2e/chaos.test.ts': 138,
  'test/worker/failures.test.ts': 130,
  'test/worker/fleet.test.ts': 125,
  'test/e2e/operations.test.ts': 120,
  'test/media/merge/transitions.test.ts': 120,
  'test/security/parameters.test.ts': 119,
  'test/media/merge/merge-copy.test.ts': 115,
  'test/e2e/oddities.test.ts': 60,
  'test/worker/uploads/parts.test.ts': 60,
  'test/worker/uploads/upkeep.test.ts': 45,
  'test/worker/mcp/conformance.test.ts': 36,
  'test/worker/pages/mail.test.ts': 28,
  'test/pure/doubling.test.ts': 20,
};

export interface ListedFile {
  /** From the root of the repository. */
  path: string;
  project: string;
  isolated: boolean;
}

/**
 * The order in which files begin: the longest first, then the projects by turns, because some of them compute while others wait. A
 * file that waits for two minutes would otherwise keep the run waiting at its end. Files without isolation come last and by
 * project: they share processes that are expensive to start.
 */
export function longestFirst<T extends ListedFile>(files: readonly T[]): T[] {
  const byProject = (some: readonly T[]) => [...Map.groupBy(some, ({ project }) => project).values()];
  const place = new Map(
    byProject(files).flatMap((own) => own.map((file, index) => [file, index / own.length] as const)),
  );
  const ordered = (some: readonly T[]) =>
    some.toSorted(
      (a, b) =>
        (longFiles[b.path] ?? 0) - (longFiles[a.path] ?? 0) || (place.get(a) ?? 0) - (place.get(b) ?? 0),
    );
  const isolated = files.filter((file) => file.isolated);
  const sharing = files.filter((file) => !file.isolated);
  return [...ordered(isolated), ...byProject(sharing).flatMap(ordered)];
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const listed = (await super.sort(files)).map((specification) => ({
      specification,
      path: relative(this.ctx.config.root, specification.moduleId),
      project: specification.project.name,
      isolated: specification.project.config.isolate,
    }));
    return longestFirst(listed).map(({ specification }) => specification);
  }
}
