import { raw } from 'hono/html';
import { examples as mediaExamples, posterOf } from '../../../../schema/api/examples.ts';
import { type OperationName, operationNames, operations } from '../../../../schema/operations/index.ts';
import { commonTaskErrors } from '../../../../schema/operations/operation.ts';
import { curlPost } from '../../../lib/request-snippets.ts';
import { dataName } from '../component-schemas.ts';
import { completedTask } from '../example-tasks.ts';
import { resultRows } from '../field-rows.ts';
import { guides } from '../guides/guides.ts';
import { ownRows, plansWith } from '../operation-facts.ts';
import { anchorOf, operationPath } from '../paths.ts';
import { type Block, code, codeHtml, heading, markdown } from '../print/block.ts';
import { fieldList } from '../print/field-list.ts';
import { requestWays, tabs } from '../tabs.ts';
import type { DocPage, Site } from './doc-page.ts';
import { errorTable } from './error-table.ts';

/** What an operation is for, its request, its result, its errors, its cost. */
export function operationPage(name: OperationName): DocPage {
  const { title, summary } = operations[name];
  return { path: operationPath(name), title, summary, body: (site) => bodyOf(name, site) };
}

function bodyOf(name: OperationName, site: Site): Block[] {
  const { path, summary, description, work, examples, errors, tool } = operations[name];
  const [first, ...others] = examples;
  return [
    markdown(`${summary}

\`POST ${path}\` · Plans: ${plansWith(name).join(', ')} · MCP tool: \`${tool.name}\``),
    ...shownExample(name, site),
    markdown(description),
    heading(2, 'example', 'Example'),
    ...(first ? [markdown(`${first.title}:`), requestSamples(name, first.input, site.url)] : []),
    ...others.map(({ title, input }) => code('sh', title, curlPost(site.url, path, input))),
    heading(2, 'request', 'Request'),
    fieldList(ownRows(name, site.schemas)),
    markdown('Also the [fields of every operation](/docs/requests#common-fields).'),
    heading(2, 'result', 'Result'),
    markdown('The fields of `output.data`; the others are [the same for every task](/docs/tasks#task).'),
    fieldList(resultRows(site.schemas[dataName(name)] ?? {})),
    code('json', 'The task once it is completed', JSON.stringify(completedTask(name), null, 2)),
    heading(2, 'cost', 'How it works, and what it costs'),
    markdown(work),
    heading(2, 'errors', 'Errors'),
    markdown('Besides the [errors of any request](/docs/errors#answers), the task can fail with:'),
    errorTable([...errors, ...commonTaskErrors]),
    heading(2, 'see-also', 'See also'),
    markdown(neighbours(name)),
  ];
}

/** A request in every language for people; as a command in Markdown. */
function requestSamples(name: OperationName, input: unknown, publicUrl: string): Block {
  const ways = requestWays(name, input, publicUrl);
  const list = ways.map(({ title, at, language, text }) => ({
    title,
    content: raw(codeHtml(language, at, text)),
  }));
  const [command] = ways;
  return {
    ...code(command.language, command.title, command.text),
    html: String(tabs('way', 'Language', list, 'ways')),
  };
}

/**
 * A clip of this operation, with a poster where there is one, and a link to the others. The Markdown has the link alone:
 * it does not depend on which clips are made.
 */
function shownExample(name: OperationName, { madeExamples, madePictures }: Site): Block[] {
  const all = mediaExamples.filter(({ operation }) => operation === name);
  const [any] = all;
  if (!any) return [];
  const text = markdown(`[Examples](/docs/examples) of \`${any.field}\`, each with its request.`);
  const made = all.filter(({ file }) => madeExamples.has(file));
  const first = made.find((example) => madePictures.has(posterOf(example))) ?? made[0];
  if (!first) return [text];
  const poster = madePictures.has(posterOf(first)) ? ` "/examples/${posterOf(first)}"` : '';
  const more = `[All ${made.length} examples](/docs/examples#${anchorOf(name)}) of \`${first.field}\`, each with its request.`;
  const shown = markdown(
    `![${first.title}](/examples/${first.file}${poster})\n\n\`${first.field}: ${first.value}\`. ${more}`,
  );
  return [{ ...shown, markdown: text.markdown }];
}

function neighbours(name: OperationName): string {
  const { group, path } = operations[name];
  const near = operationNames.filter((other) => other !== name && operations[other].group === group);
  const fitting = guides.filter(({ text }) => text.includes(`${path}\``) || text.includes(`${path} `));
  return [
    ...near.map(
      (other) => `- [${operations[other].title}](${operationPath(other)}): ${operations[other].summary}`,
    ),
    ...fitting.map(({ path: at, title, summary }) => `- [${title}](${at}): ${summary}`),
    `- [Use it in the browser](/app/playground/${name}): the playground has a form for every field.`,
  ].join('\n');
}
