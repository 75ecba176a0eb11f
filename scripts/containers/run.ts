/**
 * Tests the transcoder's image: starts Docker if possible, builds the base image if no registry is reachable, builds the image
 * and runs test/containers against it. Arguments are passed to vitest.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../lib/json-file.mjs';
import { home, root } from '../lib/paths.mjs';
import { session } from '../lib/session.mjs';
import { step } from '../lib/steps.mjs';
import { countOf, countText } from '../lib/test-count.mjs';
import { ensureBaseImage } from './base-image.ts';
import { ensureEngine } from './engine.ts';

await session(async ({ children, onEnd }) => {
  const forVitest = process.argv.slice(2);
  const engine = await ensureEngine();
  if (!engine.ok) {
    console.error(`Docker cannot be started here: ${engine.reason}`);
    console.error('The tests with containers were not run.');
    console.log('0 passed, 1 failed');
    return 1;
  }
  onEnd(engine.stop);

  /** With the host's network, the build can reach the package mirrors that this machine can. */
  const build = (tag: string, context: string, file: string) =>
    step(`image ${tag}`, () =>
      children.run('docker', ['build', '--network', 'host', '--tag', tag, '--file', file, context]),
    );
  await ensureBaseImage(children);
  await build('spool-transcoder:test', root, join(root, 'transcoder', 'Dockerfile'));
  const egress = join(import.meta.dirname, 'egress');
  await build('spool-egress:test', egress, join(egress, 'Dockerfile'));

  const directory = join(home, 'test-containers');
  mkdirSync(directory, { recursive: true });
  const results = join(directory, 'results.json');
  rmSync(results, { force: true });
  const code = await children.show(process.execPath, [
    ...[join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run'],
    ...['--config', join(import.meta.dirname, 'vitest.config.ts')],
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${results}`],
    ...forVitest,
  ]);
  // Tests skipped because of a failed set-up count as failed, and so does a failed clean-up.
  const { passed, failed, skipped } = countOf(readJson(results));
  const missed = forVitest.length > 0 ? 0 : skipped;
  const notPassed = Math.max(failed + missed, code === 0 ? 0 : 1);
  console.log(countText({ passed, failed: notPassed, skipped: 0 }));
  return notPassed === 0 && passed > 0 ? 0 : 1;
});
