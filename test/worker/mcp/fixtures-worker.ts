import type { McpServer } from '@modelcontextprotocol/server';
import { makeApp } from '../../../worker/app.ts';
import { callTool } from '../../../worker/mcp/call-tool.ts';
import { complete } from '../../../worker/mcp/completion.ts';
import { problemOf, problemResult, protocolError } from '../../../worker/mcp/problem-result.ts';
import { getPrompt, listedPrompts } from '../../../worker/mcp/prompts/index.ts';
import { readResource, resources, taskTemplate } from '../../../worker/mcp/resources.ts';
import { type MakeMcpServer, mcpServer } from '../../../worker/mcp/server.ts';
import { tools } from '../../../worker/mcp/tools/index.ts';
import { contentTools } from './fixtures/content-tools.ts';
import type { StartTask } from './fixtures/fixture-tool.ts';
import { inputTools } from './fixtures/input-tools.ts';
import { cities, fixturePrompts } from './fixtures/prompts.ts';
import { fixtureResource, fixtureResources, fixtureTemplate } from './fixtures/resources.ts';
import { taskTools } from './fixtures/task-tools.ts';
import { withKey } from './keyed-worker.ts';

export { Account, Fleet, Transcoder } from '../../../worker/index.ts';

/** Of the tasks that fixtures start; nothing reads it. */
const SOURCE = 'https://media.example.com/talk.mp4';

const fixtureTools = new Map(
  [...contentTools, ...inputTools, ...taskTools].map((tool) => [tool.listed.name, tool]),
);

/**
 * The server of the service, which also has the tools, prompts and resources that the conformance suite calls by name. The service
 * answers all other requests.
 */
const fixtureServer: MakeMcpServer = (request, era) => {
  const mcp = mcpServer(request, era);
  if (era === 'legacy') offerWhatWasDropped(mcp);
  // The SDK looks for the headers that a tool takes arguments from among the tools that it has registered itself.
  mcp.toolInputSchemaJson = (name) => fixtureTools.get(name)?.listed.inputSchema;

  const { server } = mcp;
  const known = tools.map(({ listed }) => listed);
  const listed = [...known, ...[...fixtureTools.values()].map((tool) => tool.listed)];
  server.setRequestHandler('tools/list', () => ({ tools: listed }));
  server.setRequestHandler('tools/call', async (message, context) => {
    const { name, arguments: args = {} } = message.params;
    const tool = fixtureTools.get(name);
    if (!tool) return callTool(request, message, context);
    const startTask: StartTask = (output_name) => {
      const params = {
        name: 'cut_video',
        arguments: { video_url: SOURCE, start: 1, duration: 5, output_name },
      };
      return callTool(request, { method: 'tools/call', params }, context);
    };
    try {
      return await tool.call(context, args, startTask);
    } catch (error) {
      // What is an error of the protocol stays one.
      if (protocolError(error, request.requestId) === error) throw error;
      return problemResult(problemOf(error, request.requestId), request.requestId);
    }
  });
  server.setRequestHandler('resources/list', () => ({ resources: [...resources, ...fixtureResources] }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [taskTemplate, fixtureTemplate],
  }));
  server.setRequestHandler(
    'resources/read',
    (message) => fixtureResource(message.params.uri) ?? readResource(request, message),
  );
  server.setRequestHandler('prompts/list', () => ({
    prompts: [...listedPrompts, ...fixturePrompts.map((prompt) => prompt.listed)],
  }));
  server.setRequestHandler('prompts/get', (message, context) => {
    const prompt = fixturePrompts.find((one) => one.listed.name === message.params.name);
    return prompt ? prompt.get(message.params.arguments ?? {}, context) : getPrompt(message);
  });
  server.setRequestHandler('completion/complete', (message) => {
    const { ref, argument } = message.params;
    if (ref.type !== 'ref/prompt' || ref.name !== 'test_prompt_with_arguments') {
      return complete(request, message);
    }
    const values = cities.filter((city) => city.startsWith(argument.value));
    return { completion: { values, total: values.length, hasMore: false } };
  });
  return mcp;
};

/** What the newest revision has dropped and the service does not offer: a log, and subscriptions of resources. */
function offerWhatWasDropped({ server }: McpServer): void {
  server.registerCapabilities({ logging: {}, resources: { subscribe: true } });
  // There is nothing to remember: the resource never changes.
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
}

export default withKey(makeApp(fixtureServer).fetch);
