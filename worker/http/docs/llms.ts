import packageJson from '../../../package.json' with { type: 'json' };
import { errorCodes, errorEntry } from '../../../schema/api/errors.ts';
import { planNames, planOf } from '../../../schema/api/plans.ts';
import { type OperationName, operationNames, operations } from '../../../schema/operations/index.ts';
import { commonFields, submissionErrors } from '../../../schema/operations/operation.ts';
import {
  dataName,
  endsTasks,
  inputName,
  type JsonSchema,
  taskErrorsOf,
  wholeSchemas,
} from './component-schemas.ts';
import { endpoints, type OpenApi } from './endpoints.ts';
import { type FieldRow, fieldRows, resultRows } from './field-rows.ts';
import { ownRows, plansWith } from './operation-facts.ts';
import { operationPath } from './paths.ts';
import { limitRows, requestLimits } from './plan-limits.ts';

/** `/llms.txt` (https://llmstxt.org): everything that a language model needs to call the service, generated from the registry. */
export function llmsText(document: OpenApi, publicUrl: string): string {
  const schemas = wholeSchemas();
  const [first] = operationNames;
  const common = fieldRows(schemas[inputName(first)] ?? {}).filter((row) => row.name in commonFields);
  const others = endpoints(document).filter(({ id }) => !(id in operations));
  return `# Spool

> ${packageJson.description}

- Base URL: ${publicUrl}. Send the API key in the header \`X-API-Key\` or \`Authorization: Bearer\`.
- Send JSON with public https:// URLs of media. Instead of a URL, \`task:<task_id>\` is the main file of a task (waited for if it has not ended), and \`upload:<upload_id>\` a file of yours: \`POST /uploads\`, PUT the file to the \`url\` of the answer with its \`headers\`, \`POST /uploads/{id}/complete\`. Times are seconds (70.5) or "HH:MM:SS.mmm". Unknown fields are rejected.
- Every operation is a POST that returns 202 with a task. Poll \`GET /task/{id}\` every \`Retry-After\` seconds, or use long polling with \`?wait_seconds=55\`, until \`status\` is \`completed\` or \`failed\`. Completed: download \`output.file_url\` (signed, no key needed, valid until \`expires_at\`); the result fields of the operation are in \`output.data\`. Failed: read \`error.code\` and \`error.hint\`; send the same request again only where \`error.retryable\` is true.
- Errors are application/problem+json with \`code\`, \`detail\`, \`retryable\` and, for 422, \`errors\` with JSON pointers to the fields. After 429 and 503, wait \`Retry-After\` seconds.
- MCP: ${publicUrl}/mcp (Streamable HTTP, the same key): every operation is a tool with the same fields. \`get_task\` waits for a task; \`describe_operation\` returns all fields of a tool.

## Docs

- [OpenAPI 3.1](${publicUrl}/openapi.json): all paths with schemas, examples and errors
- [Reference](${publicUrl}/docs): the same as a web page
- [Errors](${publicUrl}/docs/errors): every error code
- [Examples](${publicUrl}/docs/examples): presets, styles and voices, each with its request
- [Transitions](${publicUrl}/docs/transitions): a preview of each
- [Capabilities](${publicUrl}/capabilities): JSON Schemas of the operations, supported containers and codecs, URLs of examples and transitions, plan limits
- [Changelog](${publicUrl}/docs/changelog): what changed

## Fields of every operation

${fieldList(common)}

## Operations

${operationNames.map((name) => operationText(name, schemas, publicUrl)).join('\n\n')}

## Other endpoints

${others.map(({ method, path, summary, key }) => `- ${method} ${path}${key === 'none' ? ' (no key)' : ''}: ${summary}`).join('\n')}

## Plans

| limit | ${planNames.map((name) => planOf(name).title).join(' | ')} |
|---|${planNames.map(() => '---|').join('')}
${limitRows.map(({ title, print }) => `| ${title} | ${planNames.map((name) => print(planOf(name))).join(' | ')} |`).join('\n')}

${requestLimits}

## Errors

Error responses of an operation: ${submissionErrors.map((code) => `\`${code}\``).join(', ')}.

${errorCodes.map(errorText).join('\n')}
`;
}

function operationText(name: OperationName, schemas: Record<string, JsonSchema>, publicUrl: string): string {
  const { title, path, description, examples, tool } = operations[name];
  const requests = examples.map((example) => `${example.title}: \`${JSON.stringify(example.input)}\``);
  return `### [${title}](${publicUrl}${operationPath(name)}): POST ${path}

${description} Plans: ${plansWith(name).join(', ')}. MCP tool: \`${tool.name}\`.

${fieldList(ownRows(name, schemas))}

\`output.data\`:

${fieldList(resultRows(schemas[dataName(name)] ?? {}))}

Examples:

${requests.map((request) => `- ${request}`).join('\n')}

The task can fail with: ${taskErrorsOf(name)
    .map(({ code }) => `\`${code}\``)
    .join(', ')}.`;
}

function fieldList(rows: readonly FieldRow[]): string {
  return rows
    .map(({ name, type, required, fallback, description }) => {
      const notes = [type, required ? 'required' : '', fallback === null ? '' : `default ${fallback}`];
      return `- \`${name}\` (${notes.filter((note) => note !== '').join('; ')})${description === '' ? '' : `: ${description}`}`;
    })
    .join('\n');
}

function errorText(code: (typeof errorCodes)[number]): string {
  const { status, fault, retryable, title, hint } = errorEntry(code);
  const facts = [
    ...(status === null ? [] : [String(status)]),
    ...(endsTasks(code) ? ['in a task'] : []),
    ...[fault, ...(retryable ? ['retryable'] : [])],
  ];
  return `- \`${code}\` (${facts.join(', ')}): ${title}. ${hint}`;
}
