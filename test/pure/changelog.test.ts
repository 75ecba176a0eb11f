import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { releasedChangelog } from '../../scripts/lib/release-edits.ts';
import { changelogSections, releasesOf } from '../../worker/http/changelog/changelog.ts';
import { changelogFeed, changelogPage } from '../../worker/http/changelog/changelog-page.ts';

const committed = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
const sample = `# Changelog

## [Unreleased]

## [1.1.0] - 2026-02-03

### Callers of the API

- A thing.
- **Breaking:** \`start\` is in seconds.
  It was in frames.

### Operators

- **Breaking:** a setting is required.

## [1.0.0] - 2026-01-02

- The first & only.
`;

describe('CHANGELOG.md', () => {
  it('has releases that are read, with what callers notice first', () => {
    const [unreleased, ...released] = releasesOf(committed);
    expect(unreleased?.version).toBeNull();
    expect(released.every(({ version, date }) => version !== null && date !== null)).toBe(true);
    for (const part of committed.split(/^## /m).slice(1)) {
      const sections = [...part.matchAll(/^### (.*)$/gm)].map(([, title]) => title);
      expect(sections).toEqual(changelogSections.filter((title) => sections.includes(title)));
    }
  });

  it('is read as a release after the release command has dated it', () => {
    const [unreleased, release] = releasesOf(releasedChangelog(committed, '9.8.7', '2026-12-01'));
    expect(unreleased).toMatchObject({ version: null, breaking: '', rest: '' });
    expect(release).toMatchObject({ version: '9.8.7', date: '2026-12-01' });
    expect(release?.rest).toBe(releasesOf(committed)[0]?.rest);
  });
});

describe('the changelog', () => {
  it('separates breaking changes of every section from the others', () => {
    const [, release] = releasesOf(sample);
    expect(release?.breaking).toMatch(/<li><code>start<\/code> is in seconds.\s+It was in frames.<\/li>/);
    expect(release?.breaking).toContain('<li>a setting is required.</li>');
    expect(release?.rest).not.toMatch(/Breaking|setting/);
    expect(release?.rest).toContain('<li>A thing.</li>');
  });

  it('shows them before the rest on its page', async () => {
    const text = await changelogPage('https://spool.test', sample);
    expect(text.indexOf('Breaking changes')).toBeLessThan(text.indexOf('A thing.'));
    expect(text).toMatch(/<section id="v1\.1\.0">.*<time datetime="2026-02-03">/s);
    expect(text.match(/<section /g)).toHaveLength(3);
  });

  it('has an entry in its feed for every released version', async () => {
    const feed = await changelogFeed(sample, 'https://spool.example.com');
    expect(feed.match(/<entry>/g)).toHaveLength(2);
    expect(feed).toContain('<id>https://spool.example.com/docs/changelog#v1.1.0</id>');
    expect(feed).toContain('<updated>2026-02-03T00:00:00.000Z</updated>');
    expect(feed).toContain('The first &amp;amp; only.');
    expect(feed).not.toContain('Unreleased');
  });

  it.each(['## 1.0.0', '## [1.0] - 2026-01-01', '## [1.0.0]', '## [Unreleased] - 2026-01-01'])(
    'refuses the heading %j',
    (heading) => {
      expect(() => releasesOf(`# Changelog\n\n${heading}\n`)).toThrow('neither [Unreleased] nor a version');
    },
  );
});
