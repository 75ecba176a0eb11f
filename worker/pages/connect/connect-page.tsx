import { operations } from '../../../schema/operations/index.ts';
import { firstRequest } from '../../services/connect/first-request.ts';
import { mcpSnippets, type Snippet, taskSnippets } from '../../services/connect/snippets.ts';
import { Code } from '../elements.tsx';
import type { MemberVisit } from '../visit.ts';

export async function showConnect(visit: MemberVisit): Promise<Response> {
  const { PUBLIC_URL } = visit.context.config;
  const { hasSample, input } = await firstRequest(visit.core);
  const keys = `/app/${visit.membership.account.id}/keys`;
  const body = (
    <>
      <h1>Connect</h1>
      <p class="lead">
        The snippets have the address of this service and no key. <a href={keys}>Create a key</a>, then put it
        into the environment:
      </p>
      <Code title="Shell" text="export SPOOL_API_KEY=YOUR_KEY" />
      <h2>Agents, by MCP</h2>
      <p>
        Every operation is a tool. The address is <code>{`${PUBLIC_URL}/mcp`}</code>, transport Streamable
        HTTP.
      </p>
      {mcpSnippets(PUBLIC_URL).map((snippet) => (
        <Part snippet={snippet} />
      ))}
      <h2>Your code</h2>
      <p>
        A first task{hasSample ? ', which runs as it is' : '. Put the address of a video of yours into it'}.
        Every operation has its fields and examples in the <a href="/docs">reference</a>.
      </p>
      {taskSnippets(PUBLIC_URL, operations.cut.path, input).map((snippet) => (
        <Part snippet={snippet} />
      ))}
    </>
  );
  return visit.page('Connect', body);
}

function Part({ snippet: { title, hint, text } }: { snippet: Snippet }) {
  return (
    <section>
      <h3>{title}</h3>
      <p>{hint}</p>
      <Code title={title} text={text} />
    </section>
  );
}
