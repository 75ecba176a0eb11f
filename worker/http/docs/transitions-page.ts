import { html } from 'hono/html';
import { type TransitionFamily, transitions } from '../../../schema/media/transitions.ts';
import { notYet } from './not-yet.ts';
import { page } from './shell.ts';

const titleOf = (family: string) => `${family.charAt(0).toUpperCase()}${family.slice(1)}`;

/** `/docs/transitions`: a clip of every transition; the script of the page plays the visible ones. @param clips Names of those that were made. */
export function transitionsPage(clips: ReadonlySet<string>, publicUrl: string): Promise<string> {
  const families = [...new Set(transitions.map(({ family }) => family))];
  const nav = [
    {
      title: 'Families',
      open: true,
      links: families.map((family) => ({ href: `#${family}`, text: titleOf(family) })),
    },
  ];
  const main = html`<h1>Transitions</h1>
<p class="lead">The ${transitions.length} transitions of <a href="/docs/operations/merge-urls"><code>POST /merge_urls</code></a>.</p>
<p>Set one in <code>transition</code>, or one per joint in <code>transitions</code>. <code>duration</code> is its length in seconds.</p>
${clips.size > 0 ? '' : notYet}
${families.map((family) => grid(family, clips))}`;
  const about = {
    publicUrl,
    description: `A clip of each of the ${transitions.length} transitions of Spool.`,
  };
  return page({ title: 'Transitions · Spool', path: '/docs/transitions', nav, about, main });
}

function grid(family: TransitionFamily, clips: ReadonlySet<string>) {
  return html`<h2 id="${family}"><a href="#${family}">${titleOf(family)}</a></h2>
<ul class="previews">
${transitions
  .filter((transition) => transition.family === family)
  .map(
    ({ name }) => html`<li><figure>${clips.has(`${name}.mp4`) ? video(name) : ''}
<figcaption><code>${name}</code></figcaption></figure></li>
`,
  )}
</ul>
`;
}

const video = (name: string) =>
  html`<video src="/transitions/${name}.mp4" width="320" height="180" preload="none" muted loop playsinline controls></video>`;
