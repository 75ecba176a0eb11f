import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { errorEntry } from '../../schema/api/errors.ts';
import { errorText, log } from '../lib/log.ts';
import { isOutage, unavailable } from '../lib/outage.ts';
import { Problem } from '../lib/problem.ts';

/** A problem as MCP clients see it. */
export function shownProblem({ code, message: detail, errors, headers }: Problem, requestId: string) {
  const { title, hint, retryable } = errorEntry(code);
  const retryAfter = headers['retry-after'];
  const wait = retryAfter === undefined ? {} : { retry_after_seconds: Number(retryAfter) };
  return { code, title, detail, hint, retryable, ...wait, request_id: requestId, errors };
}

export function problemResult(problem: Problem, requestId: string): CallToolResult {
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify(shownProblem(problem, requestId)) }],
  };
}

/** An exception as an error of the protocol; its data has the problem. */
export function protocolError(error: unknown, requestId: string): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const problem = problemOf(error, requestId);
  const { InternalError, InvalidParams } = ProtocolErrorCode;
  const code = errorEntry(problem.code).fault === 'service' ? InternalError : InvalidParams;
  return new ProtocolError(code, problem.message, shownProblem(problem, requestId));
}

/** The problem that an exception is answered with. Exceptions that are no problem are only logged. */
export function problemOf(error: unknown, requestId: string): Problem {
  if (error instanceof Problem) return error;
  log('error', 'tool_failed', { request_id: requestId, error: errorText(error) });
  return isOutage(error) ? unavailable() : new Problem('internal_error');
}
