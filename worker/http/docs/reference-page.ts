import { html } from 'hono/html';
import { operationNames, operations } from '../../../schema/operations/index.ts';
import { commonFields, submissionErrors } from '../../../schema/operations/operation.ts';
import { tags } from '../openapi.ts';
import { inputName, type JsonSchema, wholeSchemas } from './component-schemas.ts';
import { type Endpoint, endpoints, type OpenApi } from './endpoints.ts';
import { fieldRows, resultRows } from './field-rows.ts';
import { anchorOf, operationSection } from './operation-section.ts';
import { requestLimits } from './plan-limits.ts';
import { mcpConfig, taskSteps } from './recipes.ts';
import { codeBlock, type Html, type NavGroup, page, prose } from './shell.ts';
import { errorTable, fieldTable, formatTables, planTable } from './tables.ts';

const guide = [
  ['start', 'Start'],
  ['keys', 'Keys'],
  ['conventions', 'Conventions'],
  ['task', 'The task'],
  ['errors', 'Errors'],
  ['formats', 'Formats'],
  ['plans', 'Plans and limits'],
  ['mcp', 'MCP'],
] as const;

const titleOf = (tag: string) => `${tag.charAt(0).toUpperCase()}${tag.slice(1)}`;
const endpointAnchor = ({ id }: Endpoint) => `endpoint-${id.replaceAll('_', '-')}`;

/** `/docs`: the whole reference on one page, generated from the OpenAPI document and the registry. */
export function referencePage(document: OpenApi, publicUrl: string): Promise<string> {
  const schemas = wholeSchemas();
  const others = endpoints(document).filter(({ id }) => !(id in operations));
  const groups = Object.entries(tags).map(([tag, description]) => ({
    tag,
    description,
    names: operationNames.filter((name) => operations[name].group === tag),
    endpoints: others.filter((endpoint) => endpoint.tag === tag),
  }));
  const nav: NavGroup[] = [
    { title: 'Guide', links: guide.map(([id, text]) => ({ href: `#${id}`, text })) },
    ...groups.map(({ tag, names, endpoints: list }) => ({
      title: titleOf(tag),
      links: [
        ...names.map((name) => ({ href: `#${anchorOf(name)}`, text: operations[name].title })),
        ...list.map((entry) => ({
          href: `#${endpointAnchor(entry)}`,
          text: `${entry.method} ${entry.path}`,
        })),
      ],
    })),
  ];
  const main = html`<h1>Spool reference</h1>
<p class="lead">${document.info.description?.split('\n')[0]}</p>
${startSection(publicUrl)}
${conventions(schemas)}
${taskSection(schemas)}
${errorsSection()}
<section id="formats"><h2><a href="#formats">Formats</a></h2>
<p>The format of a source is detected from its content, not from its name. Playlists and streams (HLS, DASH), web pages and archives are
rejected with an error that names what the URL returned. <code>GET /capabilities</code> contains the same lists.</p>
${formatTables()}</section>
<section id="plans"><h2><a href="#plans">Plans and limits</a></h2>
<p>When your plan's limit of running tasks is reached, new tasks are queued and show their <code>queue_position</code>. Responses contain
<code>RateLimit-Policy</code> and <code>RateLimit</code>; after a 429, wait for the seconds in <code>Retry-After</code>.</p>
${planTable()}
<p>${prose(requestLimits)}</p></section>
${mcpSection(publicUrl)}
${groups.map(
  ({ tag, description, names, endpoints: list }) => html`<section id="group-${tag}" class="group">
<h2><a href="#group-${tag}">${titleOf(tag)}</a></h2><p>${description}</p>
</section>
${names.map((name) => operationSection(name, schemas, publicUrl))}${list.map(endpointSection)}`,
)}`;
  const about = {
    publicUrl,
    description: 'The reference of Spool: every operation with its fields, results and errors.',
  };
  return page({ title: 'Spool reference', path: '/docs', nav, about, main });
}

function startSection(publicUrl: string): Html {
  const [first] = operationNames;
  return html`<section id="start"><h2><a href="#start">Start</a></h2>
<p>Send JSON with the URL of your media; the response is a task. Poll the task until it is <code>completed</code>, then download the
file. Media is never uploaded.</p>
${taskSteps(publicUrl, first).map(({ title, text }) => codeBlock(title, text))}
</section>
<section id="keys"><h2><a href="#keys">Keys</a></h2>
<p>Send the key of your account as <code>X-API-Key: &lt;key&gt;</code> or <code>Authorization: Bearer &lt;key&gt;</code>, never in a URL.
The base URL is <code>${publicUrl}</code>.</p></section>`;
}

function conventions(schemas: Record<string, JsonSchema>): Html {
  const [first] = operationNames;
  const common = fieldRows(schemas[inputName(first)] ?? {}).filter((row) => row.name in commonFields);
  return html`<section id="conventions"><h2><a href="#conventions">Conventions</a></h2>
<ul>
<li>Sources are public <code>https://</code> URLs.</li>
<li>Times are seconds, as numbers (<code>70.5</code>) or as <code>"HH:MM:SS.mmm"</code>. Other units are part of the field name:
<code>_kbps</code>, <code>_px</code>, <code>_percent</code>, <code>_lufs</code>.</li>
<li>Unknown fields are rejected (422), never ignored.</li>
<li>Every response contains <code>X-Request-Id</code>.</li>
</ul>
<h3 id="common-fields"><a href="#common-fields">Fields of every operation</a></h3>
${fieldTable(common)}</section>`;
}

function taskSection(schemas: Record<string, JsonSchema>): Html {
  const table = (name: string) => fieldTable(resultRows(schemas[name] ?? {}));
  return html`<section id="task"><h2><a href="#task">The task</a></h2>
<p>Every operation returns <code>202</code> with a task, its <code>status_url</code> in <code>Location</code> and the seconds to wait in
<code>Retry-After</code>. The <code>status</code> changes from <code>queued</code> to <code>processing</code> and then to <code>completed</code> or
<code>failed</code>. Every output is verified before its task is completed.</p>
${table('Task')}
<h3 id="task-output"><a href="#task-output">TaskOutput</a></h3>
${table('TaskOutput')}
<h3 id="task-plan"><a href="#task-plan">TaskPlan</a></h3>
${table('TaskPlan')}
<h3 id="task-error"><a href="#task-error">TaskError</a></h3>
${table('TaskError')}</section>`;
}

function errorsSection(): Html {
  return html`<section id="errors"><h2><a href="#errors">Errors</a></h2>
<p>Errors are <code>application/problem+json</code> (RFC 9457). Use <code>code</code> to distinguish them; <code>errors</code> lists the
invalid fields. These are the error responses of an operation; see <a href="/docs/errors">all error codes</a>.</p>
${errorTable(submissionErrors)}</section>`;
}

function mcpSection(publicUrl: string): Html {
  return html`<section id="mcp"><h2><a href="#mcp">MCP</a></h2>
<p>Agents use the same operations as tools at <code>${publicUrl}/mcp</code> (Streamable HTTP, stateless, the same key). The tool of an operation
returns the task; <code>get_task</code> gets a task and <code>list_tasks</code> lists tasks.</p>
${codeBlock('Client configuration', mcpConfig(publicUrl))}</section>`;
}

const keyTexts = { required: 'Needs a key.', optional: '', none: 'No key needed.' } as const;

function endpointSection(endpoint: Endpoint): Html {
  const { method, path, summary, description, key, parameters, answers, errors } = endpoint;
  const anchor = endpointAnchor(endpoint);
  return html`<section class="endpoint" id="${anchor}">
<h3><a href="#${anchor}">${method} ${path}</a></h3>
<p class="lead">${prose(summary)}</p>
${description === '' ? '' : html`<p>${prose(description)}</p>`}
${keyTexts[key] === '' ? '' : html`<p>${keyTexts[key]}</p>`}
${parameters.length === 0 ? '' : fieldTable(parameters)}
<ul class="answers">${answers.map(
    ({ status, description: text, types }) =>
      html`<li><b>${status}</b> ${prose(text)}${types.map((type) => html` <code>${type}</code>`)}</li>`,
  )}</ul>
${errors.length === 0 ? '' : errorTable(errors)}
</section>
`;
}
