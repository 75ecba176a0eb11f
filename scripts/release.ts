/**
 * `npm run release -- <version> [--dry-run]`: sets the version, dates the changelog, regenerates files, commits and tags.
 * Nothing is pushed: the last lines say what to push.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './lib/paths.mjs';
import { assertHigher, lockWithVersion, packageWithVersion, releasedChangelog } from './lib/release-edits.ts';
import { session } from './lib/session.mjs';
import { Advice, step } from './lib/steps.mjs';

const BRANCH = 'main';
/** Every file that a release may change; `npm run generate` writes the last two. */
const FILES = [
  ...['package.json', 'package-lock.json', 'client/package.json', 'CHANGELOG.md', 'README.md', 'test/golden'],
];

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function readOptions() {
  const usage = 'npm run release -- <version> [--dry-run]';
  try {
    const options = { 'dry-run': { type: 'boolean', default: false } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [version, ...more] = positionals;
    if (!version || more.length > 0) throw new Error('One version is needed, such as 1.4.0.');
    return { version: version.replace(/^v/, ''), dryRun: values['dry-run'] };
  } catch (error) {
    throw new Advice(`${messageOf(error)}\n\n${usage}`);
  }
}

/** The edited files by name. Throws if there is nothing to release. */
function editedFiles(version: string): Map<string, string> {
  const manifest = read('package.json');
  assertHigher(JSON.parse(manifest).version, version);
  const today = new Date().toISOString().slice(0, 10);
  return new Map([
    ['package.json', packageWithVersion(manifest, version)],
    ['client/package.json', packageWithVersion(read('client/package.json'), version)],
    ['package-lock.json', lockWithVersion(read('package-lock.json'), version)],
    ['CHANGELOG.md', releasedChangelog(read('CHANGELOG.md'), version, today)],
  ]);
}

await session(async ({ children, onEnd }) => {
  const { version, dryRun } = readOptions();
  const tag = `v${version}`;
  const image = `spool-transcoder:${version}`;
  const git = async (...args: string[]) => (await children.run('git', args)).trim();

  const problems: string[] = [];
  const branch = await git('branch', '--show-current');
  if (branch !== BRANCH) problems.push(`Releases are made on ${BRANCH}; this is ${branch || 'no branch'}.`);
  if ((await git('status', '--porcelain')) !== '')
    problems.push('The working tree has changes. Commit or stash them.');
  if ((await git('tag', '--list', tag)) !== '') problems.push(`The tag ${tag} exists already.`);
  let edits = new Map<string, string>();
  try {
    edits = editedFiles(version);
  } catch (error) {
    problems.push(messageOf(error));
  }
  const docker = await children.run('docker', ['info']).then(
    () => true,
    () => false,
  );

  if (dryRun) {
    console.log(`A release of ${version} would:

  write      ${[...edits.keys()].join(', ') || 'nothing'}
  generate   README.md, test/golden (npm run generate)
  commit     Release ${version}
  tag        ${tag}
  image      ${docker ? image : 'not built: Docker is not available'}`);
    if (problems.length > 0)
      console.log(`\nIt would stop before that:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    return problems.length > 0 ? 1 : 0;
  }
  if (problems.length > 0) throw new Advice(problems.join('\n'));

  let isCommitted = false;
  // Not a program of the session: at its end, none can be started any more.
  const restore = () => execFileSync('git', ['checkout', '--quiet', 'HEAD', '--', ...FILES], { cwd: root });
  onEnd(() => isCommitted || restore());
  await step(`version ${version}, changelog`, async () => {
    for (const [file, text] of edits) writeFileSync(join(root, file), text);
  });
  await step('generated files', () => children.run('npm', ['run', '--silent', 'generate']));
  await step('commit', async () => {
    await git('add', '--', ...FILES);
    await git('commit', '--quiet', '--message', `Release ${version}`);
    isCommitted = true;
  });
  await step(`tag ${tag}`, () => git('tag', '--annotate', tag, '--message', `Spool ${version}`));
  const build = `docker build -f transcoder/Dockerfile -t ${image} .`;
  if (docker) {
    await step(`image ${image}`, () => children.run('docker', build.split(' ').slice(1)));
  } else console.log('  · the image was not built: Docker is not available');

  console.log(`
${tag} is committed and tagged on this machine. Next:

  git push --follow-tags
  ${docker ? `docker push <your registry>/${image}   # after docker tag ${image} <your registry>/${image}` : build}
  npx wrangler d1 migrations apply spool --remote
  npm run deploy`);
});
