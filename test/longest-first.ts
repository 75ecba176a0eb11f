import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Roughly how many seconds the longest files take on two cores. */
export const longFiles: Readonly<Record<string, number>> = {
  'test/security/memory.test.ts': 254,
  'test/media/timing/long.test.ts': 236,
  'test/e2e/dashboard-playground.test.ts': 230,
  'test/media/sources/oddities.test.ts': 220,
  'test/e2e/failures.test.ts': 181,
  'test/media/captions/captions-heard.test.ts': 151,
  'test/e2e/scripts-start.test.ts': 146,
  'test/e2e/chaos.test.ts': 144,
  'test/worker/fleet.test.ts': 134,
  'test/worker/failures.test.ts': 127,
  'test/media/cut/identity.test.ts': 100,
  'test/media/speed/speed.test.ts': 114,
  'test/security/parameters.test.ts': 105,
  'test/worker/status.test.ts': 96,
  'test/media/results/tracks.test.ts': 95,
  'test/media/cut/identity-clean.test.ts': 60,
  'test/e2e/scripts-restart.test.ts': 95,
  'test/transcoder/sources/stumbling-sources.test.ts': 95,
  'test/e2e/plan-and-reuse.test.ts': 89,
  'test/media/timing/source-clock-operations.test.ts': 87,
  'test/transcoder/sources/fetch.test.ts': 86,
  'test/media/merge/merge-copy.test.ts': 86,
  'test/media/silence/silence-copy.test.ts': 84,
  'test/worker/pages/access.test.ts': 84,
  'test/media/merge/joints.test.ts': 84,
  'test/e2e/oddities.test.ts': 83,
  'test/media/pictures/frames.test.ts': 81,
  'test/e2e/docs-samples.test.ts': 80,
  'test/media/timeline/round-trip.test.ts': 80,
  'test/media/sources/probe-agreement.test.ts': 80,
  'test/media/captions/fonts.test.ts': 79,
  'test/e2e/operations.test.ts': 60,
  'test/media/merge/transitions.test.ts': 77,
  'test/media/sources/mutants.test.ts': 74,
  'test/e2e/status.test.ts': 71,
  'test/e2e/uploads.test.ts': 68,
  'test/worker/pages/deletion.test.ts': 65,
  'test/worker/mcp/conformance.test.ts': 63,
  'test/worker/client-help.test.ts': 61,
  'test/security/files.test.ts': 58,
  'test/media/captions/letters.test.ts': 57,
  'test/security/urls.test.ts': 57,
  'test/transcoder/storage.test.ts': 48,
  'test/worker/conformance.test.ts': 47,
  'test/e2e/client/failures.test.ts': 47,
  'test/transcoder/full-disk.test.ts': 45,
  'test/transcoder/process.test.ts': 44,
  'test/transcoder/watchdog.test.ts': 40,
  'test/pure/doubling.test.ts': 31,
  'test/worker/pages/mail.test.ts': 30,
  'test/media/sources/within-group.test.ts': 25,
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
