import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  assertHigher,
  lockWithVersion,
  packageWithVersion,
  releasedChangelog,
  unreleased,
} from '../../scripts/lib/release-edits.ts';

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
const current: string = JSON.parse(read('package.json')).version;

describe('the version of a release', () => {
  it.each([
    ['0.1.0', '0.1.1'],
    ['0.9.9', '0.10.0'],
    ['1.2.3', '2.0.0'],
  ])('may follow %s as %s', (before, after) => {
    expect(() => assertHigher(before, after)).not.toThrow();
  });

  it.each([
    ['0.1.0', '0.1.0', 'The version is 0.1.0 already.'],
    ['1.2.3', '1.1.9', '1.1.9 is lower than the current version, 1.2.3.'],
    ['1.2.3', '0.9.9', '0.9.9 is lower than the current version, 1.2.3.'],
    ['1.2.3', '1.3', '1.3 is not a version: expected three numbers, such as 1.4.0.'],
    ['1.2.3', '01.3.0', '01.3.0 is not a version: expected three numbers, such as 1.4.0.'],
  ])('may not follow %s as %s', (before, after, message) => {
    expect(() => assertHigher(before, after)).toThrow(message);
  });
});

describe('what a release writes', () => {
  it('changes the version in package.json, and no other byte', () => {
    const text = read('package.json');
    const line = (version: string) => `\n  "version": "${version}",\n`;
    expect(packageWithVersion(text, '9.8.7')).toBe(text.replace(line(current), () => line('9.8.7')));
  });

  it('changes the two versions of the project in package-lock.json, and no other byte', () => {
    const text = read('package-lock.json');
    const written = lockWithVersion(text, '9.8.7').split('\n');
    const changed = text
      .split('\n')
      .flatMap((line, index) => (written[index] === line ? [] : [written[index]?.trim()]));
    expect(changed).toEqual(['"version": "9.8.7",', '"version": "9.8.7",']);
  });

  it('is the same version in package.json and package-lock.json now', () => {
    const lock = JSON.parse(read('package-lock.json'));
    expect([lock.version, lock.packages[''].version]).toEqual([current, current]);
  });

  it('dates the entries under Unreleased and leaves that heading empty', () => {
    const text =
      '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [0.1.0] - 2026-01-02\n\n- The first.\n';
    const released = releasedChangelog(text, '0.2.0', '2026-03-04');
    expect(released).toBe(
      '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-03-04\n\n### Added\n\n- A thing.\n\n## [0.1.0] - 2026-01-02\n\n- The first.\n',
    );
    expect(unreleased(released)).toBe('');
  });

  it.each([
    [
      'no entries',
      '## [Unreleased]\n\n## [0.1.0] - 2026-01-02\n\n- The first.\n',
      'no entries under Unreleased',
    ],
    ['a heading alone', '## [Unreleased]\n\n### Added\n', 'no entries under Unreleased'],
    ['no such heading', '## [0.1.0]\n\n- The first.\n', 'no heading "## [Unreleased]"'],
  ])('is refused where the changelog has %s', (_, text, message) => {
    expect(() => releasedChangelog(text, '0.2.0', '2026-03-04')).toThrow(message);
  });

  it('finds the heading Unreleased in the changelog of the project', () => {
    expect(() => unreleased(read('CHANGELOG.md'))).not.toThrow();
  });
});

describe('a release that is interrupted', () => {
  it.each([
    ['by Ctrl-C', 'setInterval(() => {}, 1000)', true],
    ['by an error', 'process.exit(1)', false],
  ])(
    '%s leaves the files as they were',
    async (_, generate, interrupts) => {
      const folder = mkdtempSync(join(tmpdir(), 'spool-release-'));
      const path = (file: string) => join(folder, file);
      const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
      const manifest = `{\n  "name": "spool",\n  "version": "1.0.0",\n  "type": "module",\n  "scripts": ${JSON.stringify({ generate: 'node generate.js' })}\n}\n`;
      try {
        cpSync(join(import.meta.dirname, '../../scripts/lib'), path('scripts/lib'), { recursive: true });
        cpSync(join(import.meta.dirname, '../../scripts/release.ts'), path('scripts/release.ts'));
        for (const directory of ['client', 'test/golden']) mkdirSync(path(directory), { recursive: true });
        const lock = {
          name: 'spool',
          version: '1.0.0',
          packages: { '': { name: 'spool', version: '1.0.0' } },
        };
        writeFileSync(path('package.json'), manifest);
        writeFileSync(path('client/package.json'), manifest);
        writeFileSync(path('package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`);
        writeFileSync(path('CHANGELOG.md'), '# Changelog\n\n## [Unreleased]\n\n- A thing.\n');
        for (const file of ['README.md', 'test/golden/x.json']) writeFileSync(path(file), '{}\n');
        // It says that it runs, by a file that git ignores.
        writeFileSync(path('.gitignore'), 'runs\n');
        writeFileSync(
          path('generate.js'),
          `import { writeFileSync } from 'node:fs';\nwriteFileSync('README.md', 'new');\nwriteFileSync('runs', '');\n${generate};\n`,
        );
        git('init', '--quiet', '--initial-branch', 'main');
        git('add', '.');
        git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '--quiet', '--message', 'x');
        const release = spawn(process.execPath, ['scripts/release.ts', '1.1.0'], { cwd: folder });
        const closed = once(release, 'close');
        await expect.poll(() => existsSync(path('runs')), { timeout: 120_000 }).toBe(true);
        if (interrupts) release.kill('SIGINT');
        await closed;
        expect([git('status', '--porcelain'), git('rev-list', '--count', 'HEAD').trim()]).toEqual(['', '1']);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    180_000,
  );
});

describe('the version', () => {
  it('stands nowhere but where a release writes it', () => {
    for (const file of ['transcoder/Dockerfile', 'transcoder/Dockerfile.ai', 'wrangler.toml', 'README.md'])
      expect(read(file)).not.toContain(`:${current}`);
  });
});
