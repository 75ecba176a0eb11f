import { errorCodes } from '../../../../schema/api/errors.ts';
import { operationNames, operations } from '../../../../schema/operations/index.ts';
import { groupTitles } from '../../../../schema/operations/operation.ts';
import { guides } from '../guides/guides.ts';
import { commandLine, typescriptClient } from './client-pages.ts';
import type { DocGroup, DocPage } from './doc-page.ts';
import { errorPage, errorsPage } from './error-pages.ts';
import { mcp } from './mcp-page.ts';
import { operationPage } from './operation-page.ts';
import { formats, limits, service, voices } from './reference-pages.ts';
import { rendering } from './rendering-page.ts';
import { securityPage, selfHosting } from './repository-pages.ts';
import { keys, quickstart, requests } from './start-pages.ts';
import { tasks } from './task-pages.ts';
import { uploads } from './upload-page.ts';
import { webhooks } from './webhook-page.ts';

/** Every page of the documentation in reading order, except the pages of error codes. */
export const groups: readonly DocGroup[] = [
  { title: 'Getting started', pages: [quickstart, keys, requests, formats, rendering] },
  { title: 'Guides', pages: guides },
  ...Object.entries(groupTitles).map(([group, title]) => ({
    title,
    pages: operationNames.filter((name) => operations[name].group === group).map(operationPage),
  })),
  { title: 'Task management', pages: [tasks] },
  { title: 'Uploads', pages: [uploads] },
  { title: 'Webhooks', pages: [webhooks] },
  { title: 'Clients', pages: [typescriptClient, commandLine] },
  { title: 'MCP', pages: [mcp] },
  { title: 'Errors', pages: [errorsPage] },
  { title: 'Limits', pages: [limits, voices, service] },
  { title: 'Self-hosting', pages: [selfHosting] },
  { title: 'Security', pages: [securityPage] },
];

export const docPages: readonly DocPage[] = [
  ...groups.flatMap(({ pages }) => pages),
  ...errorCodes.map(errorPage),
];
