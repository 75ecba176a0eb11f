import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { OLDEST_NODE } from '../../scripts/lib/dependencies.mjs';
import { withTables } from '../../scripts/readme.ts';
import { OLDEST_FFMPEG } from '../../transcoder/model/ffmpeg-version.mjs';
import { settings } from '../../worker/env.ts';

const root = resolve(import.meta.dirname, '../..');
const text = (file: string) => readFileSync(join(root, file), 'utf8');
const readme = text('README.md');
const decisions = readdirSync(join(root, 'docs/decisions')).map((name) => `docs/decisions/${name}`);
const documents = ['README.md', 'AGENTS.md', 'SECURITY.md', 'CONTRIBUTING.md', ...decisions];
const ignored = new Set(['node_modules', '.git', '.spool', '.wrangler']);

/** Made by the set-up, or by whoever runs the service. */
const MADE = /^(\.spool|\.dev\.vars$|\/|.*\.secret$)/;
const MEDIA_TYPE = /^(application|audio|image|text|video)\//;

/** Text in backticks that names a file or folder of the repository, a pattern such as `smart-*.ts` included. */
function isPath(name: string): boolean {
  if (MADE.test(name) || MEDIA_TYPE.test(name) || !/^[\w.*/-]+$/.test(name)) return false;
  return /^[\w.-]+\/[\w.*/-]*$/.test(name) || /[\w*-]\.(ts|mjs|js|json|md|toml|sql|yml)$/.test(name);
}

/** Where a name has no folder, it may be a file anywhere: the text around it says where. */
function exists(name: string, folder: string): boolean {
  if (existsSync(join(root, name)) || existsSync(join(root, folder, name))) return true;
  const pattern = name.includes('/') ? name : `**/${name}`;
  const exclude = (path: string) => ignored.has(path.split('/').at(-1) ?? '');
  return globSync(pattern, { cwd: root, exclude }).length > 0;
}

describe('what is written for people', () => {
  it('has in README.md the tables of operations and settings as they are defined (npm run generate writes them)', () => {
    expect(readme).toBe(withTables(readme));
  });

  it('names the versions of Node and ffmpeg that are needed before the first command', () => {
    const before = readme.slice(0, readme.indexOf('npm start'));
    expect(before).toContain(`Node ${OLDEST_NODE} or newer`);
    expect(before).toContain(`ffmpeg ${OLDEST_FFMPEG} or newer`);
    expect(packageJson.engines.node).toBe(`>=${OLDEST_NODE}`);
    const setUp = text('CONTRIBUTING.md').split('npm run setup')[0];
    expect(setUp).toContain(`Node ${OLDEST_NODE} or newer`);
    expect(setUp?.replaceAll('\n', ' ')).toContain(`ffmpeg (${OLDEST_FFMPEG} or newer)`);
  });

  it('maps every folder in README.md', () => {
    const map = [...readme.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap((row) =>
      [...(row[1] ?? '').matchAll(/`([a-z]+)\/`/g)].map((match) => match[1]),
    );
    const folders = readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
      .map((entry) => entry.name);
    expect(map.toSorted()).toEqual(folders.toSorted());
  });

  it.each(['README.md', 'AGENTS.md', 'CONTRIBUTING.md'])('as %s names only commands that exist', (file) => {
    const commands = [...text(file).matchAll(/npm (?:run )?(start|test|[a-z]+(?::[a-z]+)?)\b/g)]
      .filter(
        (match) => match[0].startsWith('npm run ') || match[0] === 'npm start' || match[0] === 'npm test',
      )
      .map((match) => match[1] ?? '');
    expect(commands.length).toBeGreaterThan(1);
    expect(commands.filter((name) => !(name in packageJson.scripts))).toEqual([]);
  });

  it.each([...documents, 'client/README.md'])(
    'has in %s no comments in lines for a terminal: zsh takes them for arguments when they are pasted',
    (file) => {
      const blocks = [...text(file).matchAll(/^ *```sh\b.*\n([\s\S]*?)^ *```$/gm)].map(
        ([, lines = '']) => lines,
      );
      expect(blocks.filter((lines) => /(^|\s)# /m.test(lines))).toEqual([]);
    },
  );

  it('writes secrets in README.md only to files that git ignores', () => {
    const written = readme.matchAll(/(?:\btee|--env-file) (\S+\.(?:secret|env))\b/g);
    const files = [...written].map(([, file = '']) => file.replace('$name', 'KEY_PEPPER'));
    expect(files).toEqual(['KEY_PEPPER.secret', 'transcoder.env']);
    const { stdout } = spawnSync('git', ['check-ignore', ...files], { cwd: root, encoding: 'utf8' });
    expect(stdout.trim().split('\n')).toEqual(files);
  });

  it('migrates in README.md and after a release before it deploys', () => {
    const migrate = 'npx wrangler d1 migrations apply spool --remote';
    const upgrade = readme.slice(readme.indexOf('**Upgrade.**'));
    expect(upgrade.indexOf(migrate)).toBeGreaterThan(0);
    expect(upgrade.indexOf('npm run deploy')).toBeGreaterThan(upgrade.indexOf(migrate));
    const [, next = ''] = text('scripts/release.ts').split('Next:');
    expect(next).toMatch(/d1 migrations apply spool --remote\n.*npm run deploy/);
  });

  it.each(documents)('as %s names only paths that exist', (file) => {
    const quoted = [...text(file).matchAll(/(?<!`)`([^`\s]+)`(?!`)/g)].map((match) => match[1] ?? '');
    expect(quoted.filter((name) => isPath(name) && !exists(name, dirname(file)))).toEqual([]);
  });
});

describe('.dev.vars.example', () => {
  it('names every secret of the Worker and nothing else', () => {
    const named = [...text('.dev.vars.example').matchAll(/^([A-Z0-9_]+)=/gm)].map((match) => match[1]);
    const secrets = Object.entries(settings)
      .filter(([, setting]) => setting.doc.startsWith('Secret.'))
      .map(([name]) => name);
    expect(named.toSorted()).toEqual(secrets.toSorted());
  });
});
