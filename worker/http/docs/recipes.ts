import type { OperationName } from '../../../schema/operations/index.ts';
import { operations } from '../../../schema/operations/index.ts';
import { curlPost } from '../../lib/request-snippets.ts';

/** The steps from a request to the downloaded file. */
export function taskSteps(publicUrl: string, name: OperationName): { title: string; text: string }[] {
  const { path, examples } = operations[name];
  return [
    {
      title: '1. Start a task',
      text: `export SPOOL_API_KEY=spool_live_…\n\n${curlPost(publicUrl, path, examples[0]?.input)}`,
    },
    {
      title: '2. Poll its status_url at the interval in Retry-After',
      text: `curl ${publicUrl}/task/$TASK_ID \\\n  -H "X-API-Key: $SPOOL_API_KEY"`,
    },
    {
      title: '3. Download the file once status is completed',
      text: `curl -OJ ${publicUrl}/task/$TASK_ID/download \\\n  -H "X-API-Key: $SPOOL_API_KEY"`,
    },
  ];
}

/** The configuration that connects an MCP client to this service. */
export function mcpConfig(publicUrl: string): string {
  const server = { type: 'http', url: `${publicUrl}/mcp`, headers: { 'X-API-Key': 'spool_live_…' } };
  return JSON.stringify({ mcpServers: { spool: server } }, null, 2);
}
