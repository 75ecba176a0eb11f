import readme from '../../../../client/README.md';
import { operationNames, operations } from '../../../../schema/operations/index.ts';
import { commandName, methodName } from '../client-names.ts';
import { EXAMPLE_ORIGIN } from '../example-tasks.ts';
import { operationPath } from '../paths.ts';
import { heading, markdown, table } from '../print/block.ts';
import type { DocPage } from './doc-page.ts';
import { section } from './repository-pages.ts';

/** A section of the README of the client, with the address of this service. Its headings move up by one. */
const ofReadme = (title: string, url: string) =>
  markdown(section(readme, title).replaceAll(EXAMPLE_ORIGIN, url).replaceAll('\n### ', '\n## '));

const install = markdown(['```sh Install', 'npm install spool-media', '```'].join('\n'));

/** A service may be newer than what npm has. */
const fromSource = markdown(
  'If npm does not have the package yet, or an older version than your service, run `npm pack ./client` in a clone of the service. It writes `spool-media-<version>.tgz`; use the path of that file, such as `./spool-media-0.1.0.tgz`, wherever these commands say `spool-media`.',
);

export const typescriptClient: DocPage = {
  path: '/docs/typescript',
  title: 'TypeScript client',
  summary: 'The package spool-media: a typed method for every operation, uploads, waiting and downloads.',
  body: ({ url }) => [
    install,
    fromSource,
    ofReadme('TypeScript client', url),
    heading(2, 'methods', 'Methods'),
    table(
      ['Method', 'Operation', ''],
      operationNames.map((name) => {
        const { path, summary } = operations[name];
        return [`\`spool.${methodName(name)}()\``, `[${path}](${operationPath(name)})`, summary];
      }),
    ),
  ],
};

export const commandLine: DocPage = {
  path: '/docs/command-line',
  title: 'Command line',
  summary: 'The program spool: every operation as a command, for files and URLs alike.',
  body: ({ url }) => [
    fromSource,
    ofReadme('Command line', url),
    heading(2, 'commands', 'Commands'),
    table(
      ['Command', 'Operation', ''],
      operationNames.map((name) => {
        const { path, summary } = operations[name];
        return [`\`spool ${commandName(name)}\``, `[${path}](${operationPath(name)})`, summary];
      }),
    ),
  ],
};
