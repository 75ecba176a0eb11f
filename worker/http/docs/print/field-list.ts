import type { FieldRow } from '../field-rows.ts';
import { type Block, escaped, inlineHtml } from './block.ts';
import { escapeHtml } from './highlight.ts';

/** Pages that describe a schema which types mention. */
const schemaPages: Record<string, string> = {
  Task: '/docs/tasks#task',
  TaskOutput: '/docs/tasks#taskoutput',
  TaskPlan: '/docs/tasks#taskplan',
  TaskError: '/docs/tasks#taskerror',
  ErrorCode: '/docs/errors',
};

/** The fields of a request, a result or a query: name, type with bounds, default, meaning. */
export function fieldList(rows: readonly FieldRow[]): Block {
  return {
    markdown: rows.map(rowMarkdown).join('\n'),
    html: `<dl class="fields">\n${rows.map(rowHtml).join('')}</dl>\n`,
    headings: [],
  };
}

function rowMarkdown({ name, type, required, fallback, description }: FieldRow): string {
  const notes = [
    `\`${type}\``,
    required ? 'required' : '',
    fallback === null ? '' : `default \`${fallback}\``,
  ];
  const facts = notes.filter((note) => note !== '').join('; ');
  return `- \`${name}\` (${facts})${description === '' ? '' : `: ${escaped(description)}`}`;
}

function rowHtml({ name, type, required, fallback, description }: FieldRow): string {
  const mark = required ? ' <span class="required">required</span>' : '';
  const value =
    fallback === null ? '' : ` <span class="fallback">default <code>${escapeHtml(fallback)}</code></span>`;
  return `<div><dt><code>${escapeHtml(name)}</code> <span class="type">${typeHtml(type)}</span>${mark}${value}</dt>
<dd>${description === '' ? '' : inlineHtml(escaped(description))}</dd></div>
`;
}

function typeHtml(type: string): string {
  return type
    .split(/\b(Task|TaskOutput|TaskPlan|TaskError|ErrorCode)\b/)
    .map((part) => {
      const at = schemaPages[part];
      return at ? `<a href="${at}">${part}</a>` : escapeHtml(part);
    })
    .join('');
}
