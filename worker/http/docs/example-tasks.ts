import { errorEntry } from '../../../schema/api/errors.ts';
import { type OperationName, operationNames, operations } from '../../../schema/operations/index.ts';
import { type Task, task } from '../../../schema/task/task.ts';

/** Placeholder for the address of the service in every example; `openApiDocument` inserts the real one. */
export const EXAMPLE_ORIGIN = 'https://spool.example.com';
export const EXAMPLE_REQUEST_ID = 'req_01kagzr0e05k2m8q4t7w9y3n6c';
export const EXAMPLE_TASK_ID = 'task_01kagzr0e0x7m3c9v5b2n8k4qd';

const self = `${EXAMPLE_ORIGIN}/task/${EXAMPLE_TASK_ID}`;
const fileOf = (role: string) => `${self}/download?file=${role}&expires=1795255206&signature=3fQyq0v2mXbT5w`;

/** The task in the response to a POST of this operation. */
export function queuedTask(name: OperationName): Task {
  const operation = operations[name];
  const [example] = operation.examples;
  const { metadata, ...input } = operation.input.parse(example?.input);
  return {
    object: 'task',
    id: EXAMPLE_TASK_ID,
    task_id: EXAMPLE_TASK_ID,
    operation: name,
    endpoint: operation.path,
    status: 'queued',
    stage: 'waiting',
    progress_percent: 0,
    eta_seconds: null,
    queue_position: null,
    attempt: 0,
    created_at: '2026-11-20T10:00:00.000Z',
    started_at: null,
    completed_at: null,
    expires_at: null,
    status_url: self,
    links: { self, download: null, events: `${self}/events` },
    input,
    output: null,
    plan: null,
    warnings: [],
    error: null,
    metadata,
  };
}

function processingTask(name: OperationName): Task {
  return {
    ...queuedTask(name),
    status: 'processing',
    stage: 'rendering',
    progress_percent: 42.5,
    eta_seconds: 3,
    attempt: 1,
    started_at: '2026-11-20T10:00:00.120Z',
  };
}

export function completedTask(name: OperationName): Task {
  const { file_name, role, media_type, data, time_map = [], ...facts } = operations[name].exampleResult;
  const file = fileOf(role);
  const file_size = 2_481_907;
  return {
    ...processingTask(name),
    status: 'completed',
    stage: 'done',
    progress_percent: 100,
    eta_seconds: null,
    completed_at: '2026-11-20T10:00:06.000Z',
    expires_at: '2026-11-21T10:00:06.000Z',
    links: { self, download: `${self}/download`, events: `${self}/events` },
    output: {
      file_url: file,
      file_name,
      file_size,
      media_type,
      ...facts,
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      files: [{ role, url: file, media_type, file_size }],
      data,
      time_map,
    },
  };
}

function failedTask(name: OperationName): Task {
  const code = 'source_not_media';
  const { title, hint, fault, retryable } = errorEntry(code);
  const stage = 'analyzing';
  const detail =
    'The source is a web page (HTML). Give a direct link to the file, such as the link behind a download button.';
  return {
    ...processingTask(name),
    status: 'failed',
    stage,
    progress_percent: 0,
    eta_seconds: null,
    completed_at: '2026-11-20T10:00:01.000Z',
    error: { code, title, detail, fault, retryable, stage, source_index: 0, pointer: '/video_url', hint },
  };
}

/** Linters of OpenAPI documents take any object with a `default` for a schema: the streams that a probe lists have one. */
const readsAsSchema = (value: unknown) => JSON.stringify(value).includes('"default":');

/** The examples of `GET /task/{id}`: a completed task of most operations, and one of each other status. */
export function taskExamples() {
  const [first] = operationNames;
  const completed = operationNames
    .map((name) => ({ name, value: task.parse(completedTask(name)) }))
    .filter(({ value }) => !readsAsSchema(value))
    .map(({ name, value }) => [
      `${name}_completed`,
      { summary: `${operations[name].title}, completed`, value },
    ]);
  return {
    ...Object.fromEntries(completed),
    queued: { summary: 'Waiting', value: task.parse(queuedTask(first)) },
    processing: { summary: 'Running', value: task.parse(processingTask(first)) },
    failed: { summary: 'Failed', value: task.parse(failedTask(first)) },
  };
}
