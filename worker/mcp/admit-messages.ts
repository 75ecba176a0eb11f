import type { Context } from '../context.ts';
import { Problem } from '../lib/problem.ts';
import { MAX_JSON_BYTES } from '../lib/text/parse-json.ts';
import type { Principal } from '../repos/keys.ts';
import { countRequest } from '../services/account/request-limit.ts';
import { bytesOf, mostBytesOf } from '../services/tasks/request-bytes.ts';
import { checkMessage } from './message-shapes.ts';
import { problemResult, shownProblem } from './problem-result.ts';
import { operationNamed } from './tools/operation-tools.ts';

/** JSON-RPC reserves -32000 to -32099 for servers. */
const LIMITED = -32029;
const INVALID_PARAMS = -32602;

interface Counted {
  /** The remaining part of the body; null if nothing remains. */
  admitted: unknown;
  /** JSON-RPC responses to the messages that exceeded a limit or have the wrong form. */
  refused: object[];
  /** The latest limit that was exceeded; null if there was none. */
  limit: Problem | null;
}

/** Refuses messages, one or together, that are longer than what they ask for takes. @throws Problem request_too_large */
export function admitSizes(body: unknown): void {
  const sizes = (Array.isArray(body) ? body : [body]).map((message) => {
    const tool = calledTool(message);
    const operation = tool === null ? null : operationNamed(tool);
    const most = operation === null ? MAX_JSON_BYTES : mostBytesOf(operation);
    return { most, bytes: bytesOf(JSON.stringify(message)) };
  });
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const most = sizes.reduce((longest, one) => Math.max(longest, one.most), 0);
  if (all > most || sizes.some((one) => one.bytes > one.most)) throw new Problem('request_too_large');
}

/**
 * Counts each message of a body: a call of an operation as an attempt to create a task, any other as a poll. Refuses those whose
 * parameters have the wrong form.
 */
export async function admitMessages(
  context: Context,
  principal: Principal,
  body: unknown,
  requestId: string,
): Promise<Counted> {
  const admitted: unknown[] = [];
  const refused: object[] = [];
  let newest: Problem | null = null;
  for (const message of Array.isArray(body) ? body : [body]) {
    const limit = await overLimit(context, principal, message);
    newest = limit ?? newest;
    const wrong = limit ? null : wrongForm(message);
    if (limit) refused.push(...refusalOf(message, limit, requestId));
    else if (wrong && hasId(message)) refused.push(errorOf(message.id, INVALID_PARAMS, wrong, requestId));
    else admitted.push(message);
  }
  const rest = Array.isArray(body) ? admitted : admitted[0];
  const nothing = admitted.length === 0 && (newest !== null || refused.length > 0);
  return { admitted: nothing ? null : rest, refused, limit: newest };
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
  if (!hasId(message)) return [];
  if (calledTool(message) === null) return [errorOf(message.id, LIMITED, problem, requestId)];
  return [{ jsonrpc: '2.0', id: message.id, result: problemResult(problem, requestId) }];
}

function errorOf(id: Id, code: number, problem: Problem, requestId: string): object {
  const data = shownProblem(problem, requestId);
  return { jsonrpc: '2.0', id, error: { code, message: problem.message, data } };
}

function wrongForm(message: unknown): Problem | null {
  try {
    checkMessage(message);
    return null;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

type Id = string | number;

function hasId(message: unknown): message is { id: Id } {
  const id = member(message, 'id');
  return typeof id === 'string' || typeof id === 'number';
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
