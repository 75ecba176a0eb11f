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
import { inputTools } from './fixtures/input-tools.ts';
import { cities, fixturePrompts } from './fixtures/prompts.ts';
import { fixtureResource, fixtureResources, fixtureTemplate } from './fixtures/resources.ts';
import { withKey } from './keyed-worker.ts';

export { Account, Fleet, Transcoder } from '../../../worker/index.ts';

const fixtureTools = new Map([...contentTools, ...inputTools].map((tool) => [tool.listed.name, tool]));

/**
 * The server of the service, with the tools, prompts and resources that the conformance suite calls beside its own. Whatever is no
 * fixture is answered by the service.
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
    try {
      const tool = fixtureTools.get(name);
      return tool ? await tool.call(context, args) : await callTool(request, message, context);
    } catch (error) {
      const failure = protocolError(error, request.requestId);
      if (failure === error || !fixtureTools.has(name)) throw failure;
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
