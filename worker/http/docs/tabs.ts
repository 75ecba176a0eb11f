import { html, raw } from 'hono/html';
import { type OperationName, operations } from '../../../schema/operations/index.ts';
import { curlPost, mcpCall, pythonPost, typeScriptPost } from '../../lib/request-snippets.ts';
import { codeBlock, type Html } from './shell.ts';

interface Tab {
  title: string;
  content: Html | ReturnType<typeof raw>;
}

/** Tabs that need no script: one radio button each, which arrow keys move. @param id Unique on the page. */
export function tabs(id: string, legend: string, list: readonly Tab[], kind = ''): Html {
  return html`<fieldset class="tabs ${kind}">
<legend>${legend}</legend>
${list.map(
  (
    { title, content },
    index,
  ) => html`<input type="radio" name="${id}" id="${id}-${index}" value="${title}"${index === 0 ? raw(' checked') : ''} autocomplete="off"><label for="${id}-${index}">${title}</label>
<div class="tab">
${content}
</div>
`,
)}</fieldset>`;
}

/** A request in every way of sending it. `language` as in a fence of Markdown. */
export function requestWays(name: OperationName, body: unknown, publicUrl: string) {
  const { path, tool } = operations[name];
  const route = `POST ${path}`;
  return [
    { title: 'curl', at: route, language: 'sh', text: curlPost(publicUrl, path, body) },
    { title: 'TypeScript', at: route, language: 'ts', text: typeScriptPost(publicUrl, path, body) },
    { title: 'Python', at: route, language: 'python', text: pythonPost(publicUrl, path, body) },
    { title: 'MCP', at: `Tool ${tool.name}`, language: 'json', text: mcpCall(tool.name, body) },
  ] as const;
}

export function requestTabs(id: string, name: OperationName, body: unknown, publicUrl: string): Html {
  const ways = requestWays(name, body, publicUrl);
  const list = ways.map(({ title, at, text }) => ({ title, content: codeBlock(at, text) }));
  return tabs(id, 'Language', list, 'ways');
}
