import type { OperationName } from '../../../schema/operations/index.ts';
import { operations } from '../../../schema/operations/index.ts';
import { curlPost } from '../../lib/request-snippets.ts';

/** The steps from a request to the downloaded file; each uses what the one before gave. */
export function taskSteps(publicUrl: string, name: OperationName): { title: string; text: string }[] {
  const { path, examples } = operations[name];
  return [
    {
      title: '1. Start a task',
      text: `${curlPost(publicUrl, path, examples[0]?.input)} | tee task.json
TASK=$(sed -n 's/.*"id":"\\(task_[^"]*\\)".*/\\1/p' task.json)`,
    },
    {
      title: '2. Wait until it has ended',
      text: `until curl -sS "${publicUrl}/task/$TASK?wait_seconds=55" -H "X-API-Key: $SPOOL_API_KEY" |
  grep -E '"status":"(completed|failed)"|"request_id"'; do sleep 1; done`,
    },
    {
      title: '3. Download the file once status is completed',
      text: `curl -OJ ${publicUrl}/task/$TASK/download \\\n  -H "X-API-Key: $SPOOL_API_KEY"`,
    },
  ];
}

/** The configuration that connects an MCP client to this service. */
export function mcpConfig(publicUrl: string): string {
  const server = { type: 'http', url: `${publicUrl}/mcp`, headers: { 'X-API-Key': 'spool_live_…' } };
  return JSON.stringify({ mcpServers: { spool: server } }, null, 2);
}
