/**
 * Tests the transcoder's image for real: starts Docker where it can, makes the base image where no registry is at hand,
 * builds the image and runs test/containers against it. Without a Docker nothing is tested, which is a failure unless
 * `--where-possible` is given.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBaseImage } from './base-image.ts';
import { buildImage, ensureEngine } from './engine.ts';

const root = join(import.meta.dirname, '..', '..');

const engine = await ensureEngine();
if (!engine.ok) {
  console.error(`Docker cannot be started here: ${engine.reason}`);
  console.error('The tests with containers were not run.');
  const wanted = !process.argv.includes('--where-possible');
  console.log(`0 passed, ${wanted ? 1 : 0} failed`);
  process.exit(wanted ? 1 : 0);
}

let status = 1;
try {
  await ensureBaseImage();
  buildImage('spool-transcoder:test', root, join(root, 'transcoder', 'Dockerfile'));
  buildImage('spool-egress:test', join(import.meta.dirname, 'egress'));
  status = runTests();
} finally {
  await engine.stop();
}
process.exit(status);

function runTests(): number {
  const directory = mkdtempSync(join(tmpdir(), 'spool-containers-'));
  const report = join(directory, 'report.json');
  try {
    const config = join(import.meta.dirname, 'vitest.config.ts');
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const args = [
      'run',
      '--config',
      config,
      '--reporter=default',
      '--reporter=json',
      `--outputFile=${report}`,
    ];
    const { status: code } = spawnSync(process.execPath, [vitest, ...args], { cwd: root, stdio: 'inherit' });
    // What was skipped because its set-up failed has not passed, and a failed clean-up is a failure too.
    const { numPassedTests, numTotalTests } = JSON.parse(readFileSync(report, 'utf8'));
    const failed = Math.max(numTotalTests - numPassedTests, code === 0 ? 0 : 1);
    console.log(`${numPassedTests} passed, ${failed} failed`);
    return code ?? 1;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
