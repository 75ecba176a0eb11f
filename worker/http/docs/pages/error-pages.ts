import { type ErrorCode, errorCodes, errorEntry, type ResponseCode } from '../../../../schema/api/errors.ts';
import { operationNames, operations } from '../../../../schema/operations/index.ts';
import { endsTasks, taskErrorsOf } from '../component-schemas.ts';
import { errorPath, operationPath } from '../paths.ts';
import { type Block, code as codeBlock, heading, joined, markdown } from '../print/block.ts';
import { problemExample } from '../problem-responses.ts';
import type { DocPage } from './doc-page.ts';

const faults = {
  caller: 'the request or its account',
  source: 'the media at the URL',
  service: 'this service',
} as const;

const isAnswer = (code: ErrorCode): code is ResponseCode => errorEntry(code).status !== null;

/** `/docs/errors`: every code under the id that the `type` of a problem names. */
export const errorsPage: DocPage = {
  path: '/docs/errors',
  title: 'Errors',
  lists: true,
  summary: 'Every error code, in responses and in failed tasks, and what to do about it.',
  body: () => {
    const [inAnswers, inTasks] = [true, false].map((answers) =>
      errorCodes.filter((code) => (errorEntry(code).status !== null) === answers),
    );
    const inBoth = (inAnswers ?? []).filter(endsTasks);
    return [
      markdown(`Errors are \`application/problem+json\` (RFC 9457). Use \`code\` to tell them apart; \`title\` and \`detail\` are for people. \`errors\` lists the invalid fields with JSON pointers.

If \`retryable\` is true, send the same request again, after the seconds in \`Retry-After\` if the header is present. Otherwise change the request first.`),
      heading(2, 'answers', 'Error responses'),
      ...(inAnswers ?? []).map(entry),
      heading(2, 'tasks', 'Errors of failed tasks'),
      markdown(
        `These are in \`error\` of a task whose \`status\` is \`failed\`. So are some that are in responses too: ${inBoth.map((code) => `[\`${code}\`](${errorPath(code)})`).join(', ')}.`,
      ),
      ...(inTasks ?? []).map(entry),
    ];
  },
};

function entry(code: ErrorCode): Block {
  const { status, title, hint } = errorEntry(code);
  return joined([
    heading(3, code, `\`${code}\``),
    markdown(`${status === null ? '' : `HTTP ${status}. `}${title}. ${hint} [More](${errorPath(code)})`),
  ]);
}

/** A page of its own for each code. */
export function errorPage(code: ErrorCode): DocPage {
  const { title } = errorEntry(code);
  return { path: errorPath(code), title: code, summary: `${title}.`, body: () => bodyOf(code) };
}

function bodyOf(code: ErrorCode): Block[] {
  const { status, fault, retryable, title, hint } = errorEntry(code);
  const enders = operationNames.filter((name) => taskErrorsOf(name).some((error) => error.code === code));
  const inAnswer = status === null ? [] : [`in a response, with status ${status}`];
  const inTask = enders.length === 0 ? [] : ['in a failed task'];
  return [
    markdown(`${title}. ${hint}`),
    markdown(
      [
        `- **Appears** ${[...inAnswer, ...inTask].join(', and ')}`,
        `- **Cause**: ${faults[fault]}`,
        `- **Retryable**: ${retryable ? 'yes, the same request can succeed later' : 'no, change the request first'}`,
        ...(enders.length === 0 ? [] : [`- **Operations**: ${endersText(enders)}`]),
      ].join('\n'),
    ),
    ...(isAnswer(code)
      ? [codeBlock('json', 'The response', JSON.stringify(problemExample(code), null, 2))]
      : []),
    ...(enders.length === 0
      ? []
      : [
          codeBlock(
            'json',
            'In error of the task, with a detail',
            JSON.stringify({ code, title, fault, retryable, hint }, null, 2),
          ),
        ]),
    markdown('[All errors](/docs/errors)'),
  ];
}

function endersText(names: (typeof operationNames)[number][]): string {
  if (names.length === operationNames.length) return 'all';
  return names.map((name) => `[${operations[name].title}](${operationPath(name)})`).join(', ');
}
