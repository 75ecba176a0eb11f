import readme from '../../../../README.md';
import security from '../../../../SECURITY.md';
import { markdown } from '../print/block.ts';
import type { DocPage } from './doc-page.ts';

/** Part of a file of the repository: from a heading to the next of its depth. Links to its files become plain text. */
export function section(text: string, title: string): string {
  const [, after = ''] = text.split(`\n## ${title}\n`);
  return after.split('\n## ')[0]?.trim() ?? '';
}

/** A page of the repository refers to files that this service does not serve. */
const withoutFileLinks = (text: string) => text.replace(/\[([^[\]]+)\]\((?!https?:|\/|#)[^()]+\)/g, '`$1`');

export const selfHosting: DocPage = {
  path: '/docs/self-hosting',
  title: 'Self-hosting',
  summary: 'Run the whole service on your machine, on Cloudflare or with a fleet of your own.',
  body: () =>
    ['Five minutes', 'Deploy', 'Engines', 'Admin', 'Settings'].map((title) =>
      markdown(withoutFileLinks(`## ${title}\n\n${section(readme, title)}`)),
    ),
};

export const securityPage: DocPage = {
  path: '/docs/security',
  title: 'Security',
  summary: 'Threats, defenses, known limits, and how to report a vulnerability.',
  body: () => [markdown(withoutFileLinks(security.replace(/^# .*\n/, '')))],
};
