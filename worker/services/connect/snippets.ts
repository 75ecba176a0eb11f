import { operationNames, operations } from '../../../schema/operations/index.ts';

/** Something to paste. Keys are never in it: it reads the environment or asks. */
export interface Snippet {
  title: string;
  /** What to do with it. */
  hint: string;
  text: string;
}

/** A variable in the notation of several clients. */
const variable = (name: string) => `\${${name}}`;
const json = (value: unknown) => JSON.stringify(value, null, 2);

/** Configurations of common MCP clients. */
export function mcpSnippets(publicUrl: string): Snippet[] {
  const url = `${publicUrl}/mcp`;
  return [
    {
      title: 'Claude Code',
      hint: 'Run it in a terminal in which SPOOL_API_KEY is set.',
      text: `claude mcp add --transport http spool ${url} \\\n  --header "X-API-Key: $SPOOL_API_KEY"`,
    },
    {
      title: 'Cursor',
      hint: 'In .cursor/mcp.json of a project, or ~/.cursor/mcp.json. Cursor reads SPOOL_API_KEY from its environment.',
      text: json({ mcpServers: { spool: { url, headers: { 'X-API-Key': variable('env:SPOOL_API_KEY') } } } }),
    },
    {
      title: 'VS Code',
      hint: 'In .vscode/mcp.json. VS Code asks for the key once and stores it.',
      text: json({
        inputs: [{ type: 'promptString', id: 'spool-key', description: 'Spool API key', password: true }],
        servers: { spool: { type: 'http', url, headers: { 'X-API-Key': variable('input:spool-key') } } },
      }),
    },
    {
      title: 'Codex',
      hint: 'In ~/.codex/config.toml. Codex reads SPOOL_API_KEY from its environment.',
      text: `[mcp_servers.spool]\nurl = "${url}"\nbearer_token_env_var = "SPOOL_API_KEY"`,
    },
    {
      title: 'Other clients',
      hint: 'Most clients that support Streamable HTTP take this. Replace YOUR_KEY, and keep the file private.',
      text: json({ mcpServers: { spool: { type: 'http', url, headers: { 'X-API-Key': 'YOUR_KEY' } } } }),
    },
  ];
}

/** The same first task in three languages: create it, wait for its end, print the link to the result. */
export function firstLines(publicUrl: string): Snippet[] {
  const [first] = operationNames;
  const { path, examples } = operations[first];
  const input = examples[0]?.input;
  const body = json(input);
  return [
    {
      title: 'curl',
      hint: 'Creates a task. Poll its status_url until it has ended.',
      text: [
        `curl ${publicUrl}${path} \\`,
        '  -H "X-API-Key: $SPOOL_API_KEY" \\',
        '  -H "Content-Type: application/json" \\',
        `  -d '${body.replaceAll("'", "'\\''")}'`,
      ].join('\n'),
    },
    {
      title: 'TypeScript',
      hint: 'Node, Deno or Bun, without a package.',
      text: `import { env } from 'node:process';

const headers = { 'X-API-Key': env.SPOOL_API_KEY!, 'Content-Type': 'application/json' };
const call = async (url: string, init?: RequestInit) => {
  const response = await fetch(url, { ...init, headers });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
};

let task = await call('${publicUrl}${path}', {
  method: 'POST',
  body: JSON.stringify(${body}),
});
while (task.status === 'queued' || task.status === 'processing') {
  task = await call(\`\${task.status_url}?wait_seconds=20\`);
}
console.log(task.output?.file_url ?? task.error);`,
    },
    {
      title: 'Python',
      hint: 'With the package requests.',
      text: `import os
import requests

session = requests.Session()
session.headers["X-API-Key"] = os.environ["SPOOL_API_KEY"]

response = session.post("${publicUrl}${path}", json=${pythonOf(input)})
response.raise_for_status()
task = response.json()
while task["status"] in ("queued", "processing"):
    response = session.get(task["status_url"], params={"wait_seconds": 20})
    response.raise_for_status()
    task = response.json()
print(task["output"]["file_url"] if task["output"] else task["error"])`,
    },
  ];
}

/** A JSON value as Python writes it. */
function pythonOf(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value ?? {})
    .map(([key, inner]) => `${JSON.stringify(key)}: ${pythonOf(inner)}`)
    .join(', ')}}`;
}
