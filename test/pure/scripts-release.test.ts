import { readFileSync } from 'node:fs';
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

describe('the version', () => {
  it('stands nowhere but where a release writes it', () => {
    for (const file of ['transcoder/Dockerfile', 'transcoder/Dockerfile.ai', 'wrangler.toml', 'README.md'])
      expect(read(file)).not.toContain(`:${current}`);
  });
});
