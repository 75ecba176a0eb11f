import {
  ApiError,
  ConnectionError,
  InvalidKeyError,
  LocalFile,
  RequestError,
  TaskFailedError,
} from '../src/index.ts';
import { connectionFix } from './connection-fix.ts';
import { AfterStartError, MissingKeyError, UsageError } from './exit-codes.ts';
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
  if (error instanceof AfterStartError) {
    const { code, detail, docs, request_id } = reportOf(error.cause, baseUrl);
    return { code, detail, fix: error.fix, docs, request_id, task_id: error.taskId };
  }
  if (error instanceof ApiError) {
    const file = refusedFile(error);
    return {
      code: error.code ?? String(error.status),
      detail: file === undefined ? error.message : `${file}: ${uploadText(error)}`,
      fix: error.code === undefined ? 'Check the address of the service, in SPOOL_URL or --url.' : undefined,
      fields: (file === undefined ? error.errors : []).map((field) => ({
        flag: flagOf(field.pointer),
        detail: withoutPointer(field),
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
  if (error instanceof MissingKeyError)
    return { code: 'missing_api_key', detail, fix: error.fix, docs: docsOf('missing_api_key') };
  if (error instanceof InvalidKeyError)
    return { code: 'invalid_api_key', detail, docs: docsOf('invalid_api_key') };
  if (error instanceof ConnectionError) return { code: error.name, detail, fix: connectionFix(error.cause) };
  if (isSystemError(error)) return { code: error.code, detail: systemText(error) };
  return { code: error instanceof Error ? error.name : 'unexpected', detail };
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException & { code: string } =>
  error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';

const systemReasons: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the disk',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder',
};

/** A file that cannot be read or written; partial downloads go by the name of the file. */
function systemText({ code = '', path, message }: NodeJS.ErrnoException): string {
  const reason = systemReasons[code];
  return reason === undefined || path === undefined
    ? message
    : `${path.replace(/\.task_\w+\.\w+\.part$/, '')}: ${reason}.`;
}

/** The path of the file whose upload was refused for what it is; undefined if something else was. */
function refusedFile(error: ApiError): string | undefined {
  const isRefusal = error instanceof RequestError || error.errors.length > 0;
  return isRefusal && error.file instanceof LocalFile ? error.file.path : undefined;
}

/** The fields of an upload are no flags, so they are not named. */
const uploadText = ({ errors, message }: ApiError) => errors.map(withoutPointer).join(' ') || message;

const withoutPointer = ({ pointer, detail }: ApiError['errors'][number]) =>
  detail.replace(`${pointer} `, '').replace(`${pointer}: `, '');

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
    ...(code === 'usage' || code === 'AbortError' ? [] : [`  code  ${code}`]),
    ...(docs === undefined ? [] : [`  docs  ${docs}`]),
    ...(task_id === undefined ? [] : [`  task  ${task_id}`]),
    ...(request_id === undefined ? [] : [`  id    ${request_id}`]),
  ];
  return `${lines.join('\n')}\n`;
}
