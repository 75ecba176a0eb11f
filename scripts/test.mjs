/**
 * `npm test`: installs what is missing, checks format, lint, types and that the Worker can be deployed, runs every test, and
 * prints the counts in the last line. With arguments, only runs vitest with them: `npm test -- --project pure`.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { readJson } from './lib/json-file.mjs';
import { home, instanceAt, root } from './lib/paths.mjs';
import { prepareTools } from './lib/prepare.mjs';
import { session } from './lib/session.mjs';
import { step } from './lib/steps.mjs';
import { countOf, countText, sumOf } from './lib/test-count.mjs';
import { wranglerEnv } from './lib/wrangler.mjs';

const instance = instanceAt(join(home, 'test'));
const bin = join(root, 'node_modules/.bin');

/** The checks of CI would fail on a tree with uncommitted changes. */
const inCi = process.env.CI === 'true' || process.env.CI === '1';

/** @type {{title: string, commands: string[][]}[]} */
const checks = [
  { title: 'format and lint', commands: [['biome', 'ci', '.']] },
  { title: 'types', commands: [['npm', 'run', '--silent', 'types']] },
  {
    title: 'the Worker can be deployed',
    // Does not need Docker: npm run test:containers builds and runs the image.
    commands: [
      [
        'wrangler',
        'deploy',
        '--dry-run',
        '--containers-rollout',
        'none',
        '--outdir',
        join(instance.dir, 'dist'),
      ],
    ],
  },
  ...(inCi
    ? [
        {
          title: 'generated files are true',
          commands: [
            ['npm', 'run', '--silent', 'generate'],
            ['git', 'diff', '--exit-code', '--', 'README.md', 'test/golden'],
          ],
        },
      ]
    : []),
];

/**
 * @param {import('./lib/children.mjs').Children} children
 * @param {NodeJS.ProcessEnv} env
 */
async function runChecks(children, env) {
  const count = { passed: 0, failed: 0, skipped: 0 };
  for (const { title, commands } of checks) {
    try {
      await step(title, async () => {
        for (const [program = '', ...args] of commands) await children.run(program, args, { env });
      });
      count.passed += 1;
    } catch (error) {
      count.failed += 1;
      console.error(error instanceof Error ? error.message : error);
    }
  }
  return count;
}

/**
 * Two runs at the same time. Tests of services mostly wait for leases, pauses and slow servers, while tests of media compute. These
 * have a lower priority, since some tests of services measure time.
 * @type {{name: string, args: string[], priority: number}[]}
 */
const runs = [
  {
    name: 'services',
    args: ['e2e', 'security', 'transcoder', 'worker'].map((project) => `--project=${project}`),
    priority: 0,
  },
  {
    name: 'media',
    args: ['--project=media', '--project=pure', `--maxWorkers=${availableParallelism()}`],
    priority: 5,
  },
];

/**
 * @param {import('./lib/children.mjs').Children} children
 * @param {NodeJS.ProcessEnv} env
 * @param {typeof runs[number]} run
 */
async function runTests(children, env, { name, args, priority }) {
  const results = join(instance.dir, `results-${name}.json`);
  rmSync(results, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
  const code = await children.show('vitest', ['run', ...reporters, ...args], { env, priority });
  const count = countOf(readJson(results));
  // vitest can also fail outside of its tests.
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
}

await session(async ({ children }) => {
  const forVitest = process.argv.slice(2);
  const all = forVitest.length === 0;
  await prepareTools(children);
  mkdirSync(instance.logs, { recursive: true });
  const path = { PATH: `${bin}${delimiter}${process.env.PATH}` };
  const env = { ...process.env, ...path };
  const counts = [];
  if (all) {
    counts.push(await runChecks(children, { ...wranglerEnv(instance), ...path }));
    // Once, before two runs need them.
    await step('fixtures', () => children.run('node', ['test/fixtures/make.ts'], { env }));
  }
  const asked = all ? runs : [{ name: 'asked', args: forVitest, priority: 0 }];
  const tested = await Promise.all(asked.map((run) => runTests(children, env, run)));
  const total = sumOf([...counts, ...tested]);
  if (all) console.log('Not run: the transcoder in real containers (npm run test:containers).');
  console.log(countText(total));
  return total.failed === 0 && tested.every(({ passed }) => passed > 0) ? 0 : 1;
});
