import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { invalidFields, Problem } from '../lib/problem.ts';
import { shownProblem } from './problem-result.ts';
import { toolNamed } from './tools/index.ts';

interface Answer {
  error?: { code: number; message: string; data?: object };
}

/** A response of the SDK; if it is an error of its own, its data has the problem as well. */
export async function withProblem(response: Response, requestId: string): Promise<Response> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  if (response.status < 400 || !isJson) return response;
  const answer = (await response.json()) as Answer;
  const { error } = answer;
  if (error && !(error.data && 'code' in error.data)) {
    const problem = new Problem(codeOf(response.status), error.message);
    error.data = { ...shownProblem(problem, requestId), ...error.data };
  }
  return new Response(JSON.stringify(answer), response);
}

/** What the SDK refuses is a fault of the request, unless its status says otherwise. */
function codeOf(status: number) {
  if (status >= 500) return 'internal_error';
  return status === 415 ? 'unsupported_media_type' : 'validation_failed';
}

/** The error for a method that the protocol does not have, such as the name of a tool. */
export function unknownMethod(method: string, requestId: string): ProtocolError {
  const tool = toolNamed(method);
  const detail = tool
    ? `This is a tool, not a method. Send the method tools/call with the name \`${tool.listed.name}\` and its arguments.`
    : 'There is no method of this name. Send tools/list for the tools, and tools/call to call one.';
  const problem = invalidFields([{ pointer: '/method', code: 'unknown_method', detail }]);
  const data = shownProblem(problem, requestId);
  return new ProtocolError(ProtocolErrorCode.MethodNotFound, detail, data);
}
