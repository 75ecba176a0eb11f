import { html } from 'hono/html';
import type { Context } from '../../context.ts';

type Config = Context['config'];

/** Documents of the operator, each at a path of its own and, if its setting has an address, in the foot of every page. */
export const legalPages = [
  { path: '/terms', title: 'Terms', setting: 'TERMS_URL' },
  { path: '/privacy', title: 'Privacy', setting: 'PRIVACY_URL' },
  { path: '/imprint', title: 'Imprint', setting: 'IMPRINT_URL' },
] as const;

/** A printed page with the foot that this service gives it. */
export function withFoot(printed: string, config: Config): string {
  const links = [
    { path: '/status', title: 'Status' },
    { path: '/docs/changelog', title: 'Changelog' },
    ...legalPages.filter(({ setting }) => config[setting] !== ''),
  ];
  const foot = html`<footer class="foot"><nav aria-label="About this service">
${links.map(({ path, title }) => html`<a href="${path}">${title}</a>`)}
</nav></footer>
`;
  const end = printed.lastIndexOf('</body>');
  return end < 0 ? printed : `${printed.slice(0, end)}${String(foot)}${printed.slice(end)}`;
}
