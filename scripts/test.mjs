/**
 * `npm test`: installs what is missing, checks format, lint, types and that the Worker can be deployed, runs every test, and
 * prints the counts in the last line. With arguments, only runs vitest with them: `npm test -- --project pure`.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { readJson } from './lib/json-file.mjs';
import { home, instanceAt, root } from './lib/paths.mjs';
import { prepareTools } from './lib/prepare.mjs';
import { session } from './lib/session.mjs';
import { step } from './lib/steps.mjs';
import { countOf, countText } from './lib/test-count.mjs';
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

await session(async ({ children }) => {
  const forVitest = process.argv.slice(2);
  await prepareTools(children);
  mkdirSync(instance.logs, { recursive: true });
  const path = { PATH: `${bin}${delimiter}${process.env.PATH}` };
  const checked =
    forVitest.length > 0
      ? { passed: 0, failed: 0, skipped: 0 }
      : await runChecks(children, { ...wranglerEnv(instance), ...path });

  const results = join(instance.dir, 'results.json');
  rmSync(results, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
  const code = await children.show('vitest', ['run', ...reporters, ...forVitest], {
    env: { ...process.env, ...path },
  });
  const tested = countOf(readJson(results));
  // vitest can also fail outside of its tests.
  const outside = code !== 0 && tested.failed === 0 ? 1 : 0;
  const total = {
    passed: checked.passed + tested.passed,
    failed: checked.failed + tested.failed + outside,
    skipped: tested.skipped,
  };
  if (forVitest.length === 0)
    console.log('Not run: the transcoder in real containers (npm run test:containers).');
  console.log(countText(total));
  return total.failed === 0 && tested.passed > 0 ? 0 : 1;
});
