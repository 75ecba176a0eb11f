import type { Problem } from '../lib/problem.ts';

/**
 * The response to a body in which some messages exceeded a limit: the server's answers to the others, followed by the refusals.
 * The status is 429 only if nothing but protocol messages was refused, because the result of a tool call goes to the model.
 */
export async function limitedResponse(
  served: Response | null,
  refused: readonly object[],
  { batch, problem }: { batch: boolean; problem: Problem },
): Promise<Response> {
  const headers = new Headers(problem.headers);
  if (served?.headers.get('content-type')?.startsWith('text/event-stream')) {
    headers.set('content-type', 'text/event-stream');
    const events = refused.map((answer) => `event: message\ndata: ${JSON.stringify(answer)}\n\n`);
    return new Response((await served.text()) + events.join(''), { headers });
  }
  const text = served ? await served.text() : '';
  const answers = text === '' ? [] : [JSON.parse(text)].flat();
  if (answers.length + refused.length === 0) throw problem;
  headers.set('content-type', 'application/json');
  const status = answers.length > 0 || refused.some((answer) => 'result' in answer) ? 200 : 429;
  return new Response(JSON.stringify(batch ? [...answers, ...refused] : refused[0]), { status, headers });
}
