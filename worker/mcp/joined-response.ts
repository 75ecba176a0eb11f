import type { Problem } from '../lib/problem.ts';

/**
 * The response to a body of which some messages were refused: the server's answers to the others, followed by the refusals. The
 * status is 429 only if nothing but protocol messages exceeded a limit, because the result of a tool call goes to the model.
 */
export async function joinedResponse(
  served: Response | null,
  refused: readonly object[],
  { batch, limit }: { batch: boolean; limit: Problem | null },
): Promise<Response> {
  const headers = new Headers(limit?.headers);
  if (served?.headers.get('content-type')?.startsWith('text/event-stream')) {
    headers.set('content-type', 'text/event-stream');
    const events = refused.map((answer) => `event: message\ndata: ${JSON.stringify(answer)}\n\n`);
    return new Response((await served.text()) + events.join(''), { headers });
  }
  const text = served ? await served.text() : '';
  const answers = text === '' ? [] : [JSON.parse(text)].flat();
  if (limit && answers.length + refused.length === 0) throw limit;
  headers.set('content-type', 'application/json');
  const answered = answers.length > 0 || refused.some((answer) => 'result' in answer);
  const status = limit && !answered ? 429 : 200;
  return new Response(JSON.stringify(batch ? [...answers, ...refused] : refused[0]), { status, headers });
}
