import type { Context } from '../context.ts';
import { Problem } from '../lib/problem.ts';
import type { Principal } from '../repos/keys.ts';
import { countRequest } from '../services/account/request-limit.ts';
import { problemResult, shownProblem } from './problem-result.ts';
import { operationNamed } from './tools/operation-tools.ts';

/** JSON-RPC reserves -32000 to -32099 for servers. */
const LIMITED = -32029;

interface Counted {
  /** The remaining part of the body; null if nothing remains. */
  admitted: unknown;
  /** JSON-RPC responses to the messages that exceeded a limit. */
  refused: object[];
  /** The latest refusal; null if there was none. */
  problem: Problem | null;
}

/** Counts each message of a body: a call of an operation as an attempt to create a task, any other as a poll. */
export async function countMessages(
  context: Context,
  principal: Principal,
  body: unknown,
  requestId: string,
): Promise<Counted> {
  const admitted: unknown[] = [];
  const refused: object[] = [];
  let newest: Problem | null = null;
  for (const message of Array.isArray(body) ? body : [body]) {
    const problem = await overLimit(context, principal, message);
    newest = problem ?? newest;
    if (!problem) admitted.push(message);
    else refused.push(...refusalOf(message, problem, requestId));
  }
  const rest = Array.isArray(body) ? admitted : admitted[0];
  return { admitted: newest && admitted.length === 0 ? null : rest, refused, problem: newest };
}

async function overLimit(context: Context, principal: Principal, message: unknown): Promise<Problem | null> {
  const tool = calledTool(message);
  const kind = tool !== null && operationNamed(tool) !== null ? 'creations' : 'polls';
  try {
    await countRequest(context, principal, kind);
    return null;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** A notification has no id and gets no answer. */
function refusalOf(message: unknown, problem: Problem, requestId: string): object[] {
  const id = member(message, 'id');
  if (typeof id !== 'string' && typeof id !== 'number') return [];
  if (calledTool(message) !== null)
    return [{ jsonrpc: '2.0', id, result: problemResult(problem, requestId) }];
  const data = shownProblem(problem, requestId);
  return [{ jsonrpc: '2.0', id, error: { code: LIMITED, message: data.title, data } }];
}

/** The name of the tool that a message calls; null if it calls none. */
function calledTool(message: unknown): string | null {
  if (member(message, 'method') !== 'tools/call') return null;
  const name = member(member(message, 'params'), 'name');
  return typeof name === 'string' ? name : '';
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
