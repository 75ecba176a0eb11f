import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Roughly how many seconds the longest files take on two cores. */
export const longFiles: Readonly<Record<string, number>> = {
  'test/media/sources/oddities.test.ts': 290,
  'test/media/timing/long.test.ts': 283,
  'test/security/memory.test.ts': 281,
  'test/e2e/failures.test.ts': 252,
  'test/e2e/dashboard-playground.test.ts': 190,
  'test/worker/fleet.test.ts': 204,
  'test/media/captions/captions-heard.test.ts': 201,
  'test/e2e/chaos.test.ts': 197,
  'test/media/speed/speed.test.ts': 170,
  'test/e2e/scripts-start.test.ts': 165,
  'test/media/results/tracks.test.ts': 150,
  'test/worker/failures.test.ts': 141,
  'test/media/sources/joined-clocks.test.ts': 140,
  'test/e2e/docs-samples.test.ts': 139,
  'test/media/pictures/frames.test.ts': 132,
  'test/media/cut/identity-clean.test.ts': 130,
  'test/security/parameters.test.ts': 124,
  'test/media/timeline/round-trip.test.ts': 120,
  'test/media/redub/redub-vc.test.ts': 119,
  'test/media/sources/probe-agreement.test.ts': 115,
  'test/e2e/plan-and-reuse.test.ts': 111,
  'test/e2e/uploads.test.ts': 101,
  'test/e2e/oddities.test.ts': 100,
  'test/worker/status.test.ts': 100,
  'test/media/sources/mutants.test.ts': 100,
  'test/transcoder/sources/stumbling-sources.test.ts': 99,
  'test/e2e/scripts-restart.test.ts': 95,
  'test/security/files.test.ts': 94,
  'test/media/merge/transitions.test.ts': 91,
  'test/media/sources/within-group.test.ts': 91,
  'test/media/captions/captions.test.ts': 89,
  'test/transcoder/sources/fetch.test.ts': 83,
  'test/media/merge/merge-copy.test.ts': 83,
  'test/media/captions/letters.test.ts': 81,
  'test/e2e/status.test.ts': 78,
  'test/worker/documents.test.ts': 78,
  'test/media/silence/silence.test.ts': 76,
  'test/media/cut/identity.test.ts': 75,
  'test/worker/keyless.test.ts': 74,
  'test/security/urls.test.ts': 73,
  'test/media/merge/joints.test.ts': 73,
  'test/media/timing/source-clock-operations.test.ts': 72,
  'test/transcoder/process.test.ts': 71,
  'test/worker/declared-answers.test.ts': 70,
  'test/media/silence/silence-copy.test.ts': 70,
  'test/media/results/transcode.test.ts': 70,
  'test/worker/transitions.test.ts': 69,
  'test/media/redub/redub.test.ts': 69,
  'test/media/captions/fonts.test.ts': 66,
  'test/transcoder/storage.test.ts': 64,
  'test/e2e/operations.test.ts': 59,
  'test/media/cut/smart-cut-codecs.test.ts': 59,
  'test/media/pictures/photo-animate.test.ts': 56,
  'test/e2e/client/failures.test.ts': 55,
  'test/transcoder/full-disk.test.ts': 55,
  'test/media/captions/speakers-heard.test.ts': 54,
  'test/media/results/channels.test.ts': 54,
  'test/worker/pages/deletion.test.ts': 49,
  'test/media/sources/remote.test.ts': 49,
  'test/media/merge/composed-transitions.test.ts': 49,
  'test/worker/archive.test.ts': 48,
  'test/e2e/running-tasks.test.ts': 47,
  'test/worker/mcp/conformance.test.ts': 47,
  'test/worker/pages/playground.test.ts': 45,
  'test/media/merge/merge.test.ts': 45,
  'test/media/cut/fields.test.ts': 45,
  'test/security/tenants.test.ts': 44,
  'test/worker/pages/sessions.test.ts': 44,
  'test/worker/examples.test.ts': 44,
  'test/worker/rows-read.test.ts': 44,
  'test/media/cut/smart-cut.test.ts': 44,
  'test/security/receivers.test.ts': 43,
  'test/worker/retention.test.ts': 43,
  'test/worker/limits.test.ts': 42,
  'test/media/cut/cut.test.ts': 42,
  'test/transcoder/watchdog.test.ts': 41,
  'test/security/fonts.test.ts': 41,
  'test/worker/uploads/parts.test.ts': 41,
  'test/media/cut/unindexed.test.ts': 41,
  'test/media/pictures/follow.test.ts': 41,
  'test/pure/doubling.test.ts': 31,
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
