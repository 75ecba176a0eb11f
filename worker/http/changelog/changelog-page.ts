import { html, raw } from 'hono/html';
import { type Html, page } from '../docs/shell.ts';
import { atomFeed, feedLink } from './atom.ts';
import { type Release, releasesOf } from './changelog.ts';

const path = '/docs/changelog';
const FEED = '/docs/changelog.atom';

const anchorOf = ({ version }: Release) => (version === null ? 'unreleased' : `v${version}`);
const titleOf = ({ version }: Release) => version ?? 'Unreleased';

/** `/docs/changelog`: CHANGELOG.md of this repository, breaking changes first. */
export function changelogPage(publicUrl: string, markdown: string): Promise<string> {
  const releases = releasesOf(markdown);
  const main = html`<h1>Changelog</h1>
<p class="lead">What changed, by version. Every response says in <code>X-Spool-Version</code> which version gave it.
<a href="${FEED}">Feed</a></p>
${releases.map(releaseSection)}`;
  const links = releases.map((release) => ({ href: `#${anchorOf(release)}`, text: titleOf(release) }));
  return page({
    ...{ title: 'Changelog · Spool', path, main, head: feedLink(FEED, 'Releases of Spool') },
    about: { publicUrl, description: 'What changed in Spool, by version.' },
    nav: [{ title: 'Versions', open: true, links }],
  });
}

function releaseSection(release: Release): Html {
  const { date, rest } = release;
  return html`<section id="${anchorOf(release)}">
<h2><a href="#${anchorOf(release)}">${titleOf(release)}</a>${date === null ? '' : html` · <time datetime="${date}">${date}</time>`}</h2>
${breakingPart(release)}
${rest.trim() === '' ? html`<p>Nothing yet.</p>` : raw(rest)}
</section>
`;
}

function breakingPart({ breaking }: Release): Html {
  if (breaking.trim() === '') return html``;
  return html`<div class="breaking"><h3>Breaking changes</h3>
${raw(breaking)}</div>`;
}

/** An entry a released version. */
export function changelogFeed(markdown: string, origin: string): Promise<string> {
  const released = releasesOf(markdown).filter(({ date }) => date !== null);
  return atomFeed({
    ...{ title: 'Releases of Spool', url: `${origin}${FEED}`, page: `${origin}${path}` },
    entries: released.map((release) => {
      const url = `${origin}${path}#${anchorOf(release)}`;
      const time = `${release.date}T00:00:00.000Z`;
      return {
        ...{ id: url, url, published: time, updated: time, title: `Spool ${titleOf(release)}` },
        content: `${String(breakingPart(release))}${release.rest}`,
      };
    }),
  });
}
