import { ApiError, TaskFailedError } from '../src/index.ts';
import { UsageError } from './exit-codes.ts';
import { flagName } from './flags.ts';

interface Report {
  code: string;
  detail: string;
  /** How to fix it. */
  fix?: string | undefined;
  /** What is wrong with single flags. */
  fields?: { flag: string; detail: string }[];
  docs?: string | undefined;
  request_id?: string | undefined;
  task_id?: string;
}

export function reportOf(error: unknown, baseUrl: string | undefined): Report {
  const docsOf = (code: string | undefined) =>
    baseUrl === undefined || code === undefined ? undefined : `${baseUrl}/docs/errors/${code}`;
  if (error instanceof ApiError) {
    return {
      code: error.code ?? String(error.status),
      detail: error.message,
      fields: error.errors.map(({ pointer, detail }) => ({
        flag: flagOf(pointer),
        detail: detail.replace(`${pointer} `, '').replace(`${pointer}: `, ''),
      })),
      docs: docsOf(error.code),
      request_id: error.requestId,
    };
  }
  if (error instanceof TaskFailedError) {
    const { code, message, hint, task } = error;
    return { code, detail: message, fix: hint, docs: docsOf(code), task_id: task.id };
  }
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof UsageError) return { code: 'usage', detail };
  return { code: error instanceof Error ? error.name : 'unexpected', detail };
}

/** `/segments/0/end` is part of `--segments`. */
function flagOf(pointer: string): string {
  const [field = '', ...inner] = pointer.split('/').slice(1);
  return [flagName(field), ...inner].join(' ');
}

export function errorText(error: unknown, baseUrl: string | undefined): string {
  const { code, detail, fix, fields = [], docs, request_id, task_id } = reportOf(error, baseUrl);
  const lines = [
    // The detail of a request with wrong fields repeats the first of them.
    `error: ${fields.length > 0 ? 'The request is not valid.' : detail}`,
    ...fields.map((field) => `  ${field.flag}: ${field.detail}`),
    ...(fix === undefined ? [] : [`  fix   ${fix}`]),
    ...(code === 'usage' ? [] : [`  code  ${code}`]),
    ...(docs === undefined ? [] : [`  docs  ${docs}`]),
    ...(task_id === undefined ? [] : [`  task  ${task_id}`]),
    ...(request_id === undefined ? [] : [`  id    ${request_id}`]),
  ];
  return `${lines.join('\n')}\n`;
}
