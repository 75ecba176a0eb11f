import { html } from 'hono/html';
import { type ExampleSource, exampleMediaType } from '../../../schema/api/example-sources.ts';
import { type Example, examples, examplesAt } from '../../../schema/api/examples.ts';
import { engineOf } from '../../../schema/media/engines.ts';
import { operations } from '../../../schema/operations/index.ts';
import { notYet } from './not-yet.ts';
import { anchorOf, operationPath } from './paths.ts';
import { codeBlock, type Html, page, prose } from './shell.ts';

/** `/docs/examples`: each preset, style and voice applied to the same source. @param here The examples that are available. */
export function examplesPage(here: readonly Example[], publicUrl: string): Promise<string> {
  const names = [...new Set(examples.map(({ operation }) => operation))];
  const links = names.map((name) => ({ href: `#${anchorOf(name)}`, text: operations[name].title }));
  const main = html`<h1>Examples</h1>
<p class="lead">Presets, styles and voices, each applied to a sample. Every example shows its request and links to its source.</p>
${here.length === 0 ? notYet : ''}
${names.map((name) =>
  section(
    examples.filter(({ operation }) => operation === name),
    here,
    publicUrl,
  ),
)}`;
  return page({
    title: 'Examples · Spool',
    path: '/docs/examples',
    nav: [{ title: 'Operations', open: true, links }],
    about: {
      publicUrl,
      description: 'Presets, styles and voices of Spool, each applied to a sample, with its request.',
    },
    main,
  });
}

function section(all: readonly Example[], here: readonly Example[], publicUrl: string): Html {
  const [first] = all;
  if (!first) return html``;
  const { title, path } = operations[first.operation];
  const anchor = anchorOf(first.operation);
  const made = all.filter((example) => here.includes(example));
  const left = all.filter((example) => !here.includes(example));
  return html`<section id="${anchor}"><h2><a href="#${anchor}">${title}</a></h2>
<p>Values of <code>${first.field}</code> of <a href="${operationPath(first.operation)}"><code>POST ${path}</code></a>.</p>
${made.length === 0 ? '' : grid(made, first.source, publicUrl)}
${left.length === 0 ? '' : absent(left)}
</section>
`;
}

function grid(made: readonly Example[], source: ExampleSource, publicUrl: string): Html {
  return html`<ul class="previews shown">
<li><figure>${player(source, false)}
<figcaption>The source, <a href="/examples/${source}"><code>${source}</code></a></figcaption></figure></li>
${made.map(
  (example) => html`<li id="${example.file}"><figure>${player(example.file, example.seen)}
<figcaption><code>${example.value}</code> ${example.title}</figcaption></figure>
<details><summary>Request</summary>${codeBlock(`POST ${operations[example.operation].path}`, JSON.stringify(example.request(examplesAt(publicUrl)), null, 2))}</details></li>
`,
)}
</ul>
`;
}

/** @param seen Whether the script of the page plays it muted. */
function player(file: string, seen: boolean): Html {
  const address = `${examplesAt('')}/${file}`;
  switch (exampleMediaType(file)) {
    case 'image/jpeg':
      return html`<img src="${address}" width="480" height="270" loading="lazy" alt="A town by the water at nightfall">`;
    case 'audio/mp4':
      return html`<audio src="${address}" preload="none" controls></audio>`;
    case 'video/mp4':
      return seen
        ? html`<video src="${address}" width="480" height="270" preload="none" muted loop playsinline controls></video>`
        : html`<video src="${address}" poster="/examples/photo.jpg" width="480" height="270" preload="none" playsinline controls></video>`;
  }
}

function absent(left: readonly Example[]): Html {
  const needs = [...new Set(left.flatMap(({ needs: ids }) => ids))].map((id) => engineOf(id).title);
  const names = left.map(({ value }) => `\`${value}\``).join(', ');
  const why = needs.length === 0 ? '' : ` They need ${needs.join(' and ')}.`;
  return html`<p>Not available: ${prose(names)}.${why}</p>`;
}
