import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

// Each test file and each transcoder is a process of its own, and compiling what it loads takes it a second.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled-for-tests');

/** A busy machine shows within seconds what an idle one shows at once. */
const expect = { poll: { timeout: 20_000 } };

/** Pages of the documentation are Markdown files, which the Worker imports as text. */
const markdown = {
  name: 'markdown',
  transform: (text: string, id: string) =>
    id.endsWith('.md') ? `export default ${JSON.stringify(text)}` : undefined,
};

/**
 * Files that wait for servers and whole tasks for more than half of their time: four of them keep two cores busy. Next come those that
 * wait for leases, alarms and pauses for two thirds of it, and then those that compute all the time.
 */
const waiting = { maxWorkers: 4, sequence: { groupOrder: 0 } };
const idling = { maxWorkers: 6, sequence: { groupOrder: 1 } };
const computing = { maxWorkers: 3, sequence: { groupOrder: 2 } };
/** Files that assert within how many seconds something ends run when nothing else does. */
const timed = { maxWorkers: 1, sequence: { groupOrder: 3 } };
const timedFiles = ['test/security/urls.test.ts'];

/** Hostile origins make their callers wait. */
const security = {
  globalSetup: ['test/fixtures/setup.ts', 'test/fixtures/worker-build.ts'],
  expect,
  testTimeout: 60_000,
  hookTimeout: 120_000,
  maxConcurrency: 24,
};

/** Projects from the quickest to the slowest; `npm run verify` runs the first alone. */
export default defineConfig({
  test: {
    fileParallelism: true,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [markdown],
        test: {
          ...computing,
          name: 'pure',
          include: ['test/pure/**/*.test.ts'],
          testTimeout: 60_000,
          // They keep no state, and most of their time would go into loading the same modules again.
          isolate: false,
          restoreMocks: true,
        },
      },
      {
        test: {
          ...waiting,
          name: 'transcoder',
          include: ['test/transcoder/**/*.test.ts'],
          expect,
          testTimeout: 60_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          ...computing,
          name: 'media',
          include: ['test/media/**/*.test.ts'],
          globalSetup: ['test/fixtures/setup.ts'],
          setupFiles: ['test/media/each-file.ts'],
          expect,
          testTimeout: 300_000,
          hookTimeout: 120_000,
          // A file of its own process starts libav and asks the programs what they can do, which takes seconds.
          isolate: false,
        },
      },
      {
        plugins: [markdown],
        test: {
          ...idling,
          name: 'worker',
          // The start of a process and the loading of the same modules would be a fifth of the work of a short file.
          isolate: false,
          include: ['test/worker/**/*.test.ts'],
          globalSetup: ['test/fixtures/assets.ts', 'test/fixtures/worker-build.ts'],
          expect,
          testTimeout: 60_000,
          hookTimeout: 180_000,
          // Leases and pauses are waited for at the same time.
          maxConcurrency: 12,
        },
      },
      {
        test: {
          ...waiting,
          ...security,
          name: 'security',
          include: ['test/security/**/*.test.ts'],
          exclude: timedFiles,
        },
      },
      {
        test: {
          ...timed,
          ...security,
          name: 'timed',
          include: timedFiles,
        },
      },
      {
        plugins: [markdown],
        test: {
          ...waiting,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/fixtures/setup.ts', 'test/fixtures/worker-build.ts'],
          expect,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
