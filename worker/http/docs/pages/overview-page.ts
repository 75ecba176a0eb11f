import packageJson from '../../../../package.json' with { type: 'json' };
import { operationNames } from '../../../../schema/operations/index.ts';
import { slug } from '../../../lib/text/slug.ts';
import type { Endpoint } from '../endpoint.ts';
import { anchorOf, operationPath } from '../paths.ts';
import { type Block, heading, markdown } from '../print/block.ts';
import { escapeHtml } from '../print/highlight.ts';
import { groups } from './contents.ts';
import type { DocPage } from './doc-page.ts';
import { endpointAnchor } from './endpoint-blocks.ts';

/** Anchors of `/docs` from the time when the reference was one page, and their pages now. Old links still lead to them. */
const moved: Record<string, string> = {
  start: '/docs/quickstart',
  keys: '/docs/keys',
  conventions: '/docs/requests',
  'common-fields': '/docs/requests#common-fields',
  task: '/docs/tasks#task',
  'task-output': '/docs/tasks#taskoutput',
  'task-plan': '/docs/tasks#taskplan',
  'task-error': '/docs/tasks#taskerror',
  errors: '/docs/errors',
  formats: '/docs/formats',
  plans: '/docs/limits',
  mcp: '/docs/mcp',
  'group-edit': '/docs#video-processing',
  'group-speech': '/docs#audio-and-dubbing',
  'group-create': '/docs#photo-animation',
  'group-frames': '/docs#frames-and-inspection',
  'group-inspect': '/docs#frames-and-inspection',
  'group-tasks': '/docs/tasks',
  'group-webhooks': '/docs/webhooks',
  'group-service': '/docs/service',
};

const tagPages: Record<string, string> = {
  tasks: '/docs/tasks',
  uploads: '/docs/uploads',
  webhooks: '/docs/webhooks',
  service: '/docs/service',
};

/** `/docs`: every page, by groups. */
export const overview: DocPage = {
  path: '/docs',
  title: 'Documentation',
  lists: true,
  summary: packageJson.description,
  body: ({ endpoints }) => [
    markdown(`${packageJson.description} Begin with the [quickstart](/docs/quickstart).`),
    ...groups.flatMap(({ title, pages }) => [
      markdown(`## ${title}`),
      markdown(pages.map(({ path, title: name, summary }) => `- [${name}](${path}): ${summary}`).join('\n')),
    ]),
    markdown(`## For programs

- [OpenAPI 3.1](/openapi.json): all paths with schemas, examples and errors
- [llms.txt](/llms.txt): the reference for language models; [llms-full.txt](/llms-full.txt): every page
- [Capabilities](/capabilities): schemas, formats, voices, engines and limits of this service`),
    ...formerAnchors(endpoints),
  ],
};

function formerAnchors(endpoints: readonly Endpoint[]): Block[] {
  const all = [
    ...Object.entries(moved),
    ...operationNames.map((name) => [anchorOf(name), operationPath(name)] as const),
    ...endpoints.map((endpoint) => {
      const anchor = endpointAnchor(endpoint);
      return [anchor, `${tagPages[endpoint.tag] ?? '/docs/service'}#${anchor}`] as const;
    }),
  ];
  const own = new Set(groups.map(({ title }) => slug(title)));
  const links = all
    .filter(([anchor]) => !own.has(anchor))
    .map(([anchor, path]) => `<li id="${anchor}"><a href="${path}">${escapeHtml(anchor)}</a></li>\n`);
  return [
    { ...heading(2, 'former-addresses', 'Former addresses'), markdown: '' },
    {
      markdown: '',
      html: `<details><summary>Sections that were here, and their pages</summary>\n<ul class="moved">\n${links.join('')}</ul></details>\n`,
      headings: [],
    },
  ];
}
