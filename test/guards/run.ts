import { availableParallelism } from 'node:os';
import { makeClips } from '../../scripts/assets/make.ts';
import { makeTools } from '../../scripts/assets/tools.ts';
import { countText } from '../../scripts/lib/test-count.mjs';
import { probeCapabilities } from '../../transcoder/ffmpeg/capabilities.ts';
import { findSandbox } from '../../transcoder/ffmpeg/find-sandbox.ts';
import type { SandboxLevel } from '../../transcoder/ffmpeg/sandbox.ts';
import { jsonLog } from '../../transcoder/log.ts';
import { makeFixtures, programs } from '../fixtures/make.ts';
import { type Fault, namePattern } from './fault.ts';
import { faults } from './faults.ts';
import { endRuns, runNamed, type TestRun } from './named-tests.ts';
import { copyTree, type Tree } from './tree.ts';

/**
 * `npm run test:guards`: plants each fault in a copy of the repository and runs the one test that has to fail by it. With
 * arguments, only the faults in whose row one of them occurs. Exit code 1 where a fault goes unnoticed.
 */
const wanted = process.argv.slice(2);
const chosen = faults.filter((fault) => {
  const row = JSON.stringify(Object.values(fault));
  return wanted.length === 0 || wanted.some((text) => row.includes(text));
});

/**
 * `red` is what is wanted. GREEN: the test passes in spite of the fault. UNJUDGED: it fails, but not by an expectation. UNSOUND: it
 * does not pass without the fault. `not here`: this machine lacks what the fault needs.
 */
type Verdict = 'red' | 'GREEN' | 'UNJUDGED' | 'UNSOUND' | 'not here';

const count = { passed: 0, failed: 0, skipped: 0 };

function tell(verdict: Verdict, fault: Fault, seconds: number, why = ''): void {
  const outcome = verdict === 'red' ? 'passed' : verdict === 'not here' ? 'skipped' : 'failed';
  count[outcome] += 1;
  const where = `${fault.file} → ${fault.test.file}: ${fault.test.name}`;
  console.log(
    `${verdict.padEnd(8)} ${seconds.toFixed(1).padStart(5)} s  ${fault.guard}\n${' '.repeat(18)}${where}`,
  );
  if (why !== '') console.log(`${' '.repeat(18)}${why.split('\n', 1)[0]}`);
}

/** What `expect`, its `poll`, `resolves` and `rejects`, and fast-check throw; anything else is no judgement. */
const expectation =
  /^AssertionError|^Error: expected |^Error: promise (resolved|rejected) |^Error: Property failed after \d+ tests/;

/** A failed expectation; null where nothing failed by one. */
function failedExpectation({ tests }: TestRun): string | null {
  const failures = tests.flatMap((test) => test.failures);
  return failures.find((text) => expectation.test(text)) ?? null;
}

/** Runs tests once more where nothing was judged: on a busy machine a service may start too late. */
async function runTwice(root: string, file: string, names: readonly string[]): Promise<TestRun> {
  const first = await runNamed(root, file, names);
  const passed = first.tests.length > 0 && first.tests.every(({ failures }) => failures.length === 0);
  return passed || failedExpectation(first) !== null ? first : runNamed(root, file, names);
}

/** Why a test cannot judge a fault: it has to exist and to pass without it. */
function unsound({ test }: Fault, sound: TestRun): string | null {
  const named = sound.tests.filter(({ fullName }) => new RegExp(namePattern(test.name)).test(fullName));
  if (named.length === 0) return sound.broken ?? 'no test has this name';
  const failing = named.find(({ failures }) => failures.length > 0);
  return failing ? `it fails without the fault: ${failing.failures[0]}` : null;
}

async function tryFaults(tree: Tree, file: string): Promise<void> {
  const here = judged.filter(({ test }) => test.file === file);
  const sound = await runTwice(tree.root, file, [...new Set(here.map(({ test }) => test.name))]);
  for (const fault of here) {
    const reason = unsound(fault, sound);
    if (reason !== null) {
      tell('UNSOUND', fault, 0, reason);
      continue;
    }
    const started = performance.now();
    const restore = tree.plant(fault);
    const run = await runTwice(tree.root, file, [fault.test.name]).finally(restore);
    const failures = run.tests.flatMap((each) => each.failures);
    const seconds = (performance.now() - started) / 1000;
    if (failedExpectation(run) !== null) tell('red', fault, seconds);
    else if (run.broken === null && failures.length === 0) tell('GREEN', fault, seconds);
    else tell('UNJUDGED', fault, seconds, run.broken ?? failures[0]);
  }
}

const started = performance.now();
await makeFixtures();
await makeTools();
await makeClips(programs, await probeCapabilities(programs));
const silent = jsonLog({}, () => {});
const isHere = (level: SandboxLevel) =>
  findSandbox(programs, level, silent).then(
    () => true,
    () => false,
  );
const sandboxes = { bwrap: await isHere('bwrap'), unshare: await isHere('unshare') };
const judged = chosen.filter(({ needs }) => needs === undefined || sandboxes[needs]);
for (const fault of chosen)
  if (!judged.includes(fault)) tell('not here', fault, 0, `it needs ${fault.needs}`);
const files = [...new Set(judged.map(({ test }) => test.file))];
const trees: Tree[] = [];
const leave = () => {
  endRuns();
  for (const tree of trees) tree.remove();
};
process.once('SIGINT', () => {
  leave();
  process.exit(130);
});
try {
  const lanes = Math.min(2, availableParallelism());
  while (trees.length < lanes) trees.push(copyTree());
  await Promise.all(
    trees.map(async (tree) => {
      for (let file = files.shift(); file !== undefined; file = files.shift()) await tryFaults(tree, file);
    }),
  );
} finally {
  leave();
}
console.log(`${chosen.length} faults in ${Math.round((performance.now() - started) / 1000)} s`);
console.log(countText(count));
if (count.failed > 0 || count.passed === 0) process.exitCode = 1;
