import { curlPost, pythonPost, typeScriptPost } from '../../lib/request-snippets.ts';

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
      title: 'Claude Desktop',
      hint: 'In claude_desktop_config.json (Settings, Developer, Edit Config). It runs mcp-remote, which needs Node, because Claude Desktop itself sends no headers. Replace YOUR_KEY, and keep the file private.',
      text: json({
        mcpServers: {
          spool: {
            command: 'npx',
            args: [
              ...['-y', 'mcp-remote', url, '--header', `X-API-Key:${variable('SPOOL_API_KEY')}`],
              ...(url.startsWith('http:') ? ['--allow-http'] : []),
            ],
            env: { SPOOL_API_KEY: 'YOUR_KEY' },
          },
        },
      }),
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
      title: 'Gemini CLI',
      hint: 'In .gemini/settings.json of a project, or ~/.gemini/settings.json. Gemini CLI reads SPOOL_API_KEY from its environment.',
      text: json({ mcpServers: { spool: { httpUrl: url, headers: { 'X-API-Key': '$SPOOL_API_KEY' } } } }),
    },
    {
      title: 'Windsurf',
      hint: 'In ~/.codeium/windsurf/mcp_config.json. Windsurf reads SPOOL_API_KEY from its environment.',
      text: json({
        mcpServers: { spool: { serverUrl: url, headers: { 'X-API-Key': variable('env:SPOOL_API_KEY') } } },
      }),
    },
    {
      title: 'Other clients',
      hint: 'Most clients that support Streamable HTTP take this. Replace YOUR_KEY, and keep the file private.',
      text: json({ mcpServers: { spool: { type: 'http', url, headers: { 'X-API-Key': 'YOUR_KEY' } } } }),
    },
  ];
}

/** A task in three languages. */
export function taskSnippets(publicUrl: string, path: string, input: unknown): Snippet[] {
  return [
    {
      title: 'curl',
      hint: 'Creates a task. Poll its status_url until it has ended.',
      text: curlPost(publicUrl, path, input),
    },
    {
      title: 'TypeScript',
      hint: 'For Node, Deno or Bun, without a package. Waits for the result and prints its address.',
      text: typeScriptPost(publicUrl, path, input),
    },
    {
      title: 'Python',
      hint: 'With the package requests. Waits for the result and prints its address.',
      text: pythonPost(publicUrl, path, input),
    },
  ];
}
