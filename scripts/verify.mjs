/** `npm run verify`: format, lint, types and the pure tests, all at the same time. */
import { delimiter, join } from 'node:path';
import { root } from './lib/paths.mjs';
import { session } from './lib/session.mjs';
import { step } from './lib/steps.mjs';

const env = {
  ...process.env,
  PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
};

await session(async ({ children }) => {
  /**
   * @param {string} title
   * @param {string} program
   * @param {...string} args
   */
  const check = (title, program, ...args) => step(title, () => children.run(program, args, { env }));
  const tests = async () => {
    if ((await children.show('vitest', ['run', '--project', 'pure'], { env })) !== 0)
      throw new Error('The pure tests failed.');
  };
  const ended = await Promise.allSettled([
    check('format and lint', 'biome', 'ci', '.'),
    check('types', 'node', 'scripts/check-types.mjs'),
    tests(),
  ]);
  const failures = ended.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  for (const { message } of failures) console.error(message);
  return failures.length === 0 ? 0 : 1;
});
