import {
  bytesOf,
  type DownloadOptions,
  type DownloadTarget,
  downloadTo,
  fileNameOf,
  type RemoteFile,
} from './download.ts';
import { NoFilesError, NotFoundError, SpoolError, TaskFailedError } from './errors.ts';
import type { OperationName, OperationResults, Task, TaskOutput, Upload } from './printed/schemas.ts';
import { pause, type Transport } from './transport.ts';
import { discard } from './upload.ts';

export interface Progress {
  /** `uploading` while your files are sent, then the status of the task. */
  status: 'uploading' | Task['status'];
  stage: Task['stage'];
  /** Of the upload, or of the task. */
  percent: number;
  /** Estimated seconds until the task ends; null if unknown. */
  etaSeconds: number | null;
  /** Null while files are uploaded. */
  task: Task | null;
}

export interface WaitOptions {
  /** Called when the progress changes, about once a second. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Ends the waiting. The task runs on; `delete()` stops it. */
  signal?: AbortSignal | undefined;
}

/** Longest wait of a poll in seconds: with somebody who watches the progress, and without. */
const WATCHED_SECONDS = 1;
const UNWATCHED_SECONDS = 25;
/** Pause if the service did not wait, in seconds. */
const POLL_SECONDS = 1;

/** Waits until a task has ended. @throws TaskFailedError */
export async function waitFor(
  transport: Transport,
  id: string,
  { onProgress, signal }: WaitOptions = {},
): Promise<Task> {
  const seconds = onProgress ? WATCHED_SECONDS : UNWATCHED_SECONDS;
  for (let before = ''; ; ) {
    const asked = Date.now();
    const task = await transport.json<Task>('GET', `/task/${id}`, {
      query: before === '' ? {} : { wait_seconds: String(seconds) },
      signal,
    });
    const now = `${task.status} ${task.stage} ${task.progress_percent} ${task.eta_seconds}`;
    if (now !== before) onProgress?.(progressOf(task));
    if (task.status === 'completed') return task;
    if (task.error) throw new TaskFailedError(task, task.error);
    // The waits that an account may have open are limited; beyond them the service answers at once.
    if (before === now && Date.now() - asked < seconds * 500) await pause(POLL_SECONDS, signal);
    before = now;
  }
}

const progressOf = (task: Task): Progress => ({
  ...{ status: task.status, stage: task.stage, percent: task.progress_percent },
  ...{ etaSeconds: task.eta_seconds, task },
});

/** A completed task and its files. */
export class TaskResult<Name extends OperationName = OperationName> {
  readonly task: Task;
  readonly output: Omit<TaskOutput, 'data'> & { data: OperationResults[Name] };
  readonly #transport: Transport;

  /** @throws NoFilesError */
  constructor(transport: Transport, task: Task) {
    if (!task.output) throw new NoFilesError(task);
    this.#transport = transport;
    this.task = task;
    this.output = task.output as typeof this.output;
  }

  get id(): string {
    return this.task.id;
  }

  /** The result fields of the operation. */
  get data(): OperationResults[Name] {
    return this.output.data;
  }

  /**
   * Saves a file: to a path or folder, or into a stream. A download that was interrupted continues where it ended.
   * @returns the path, if it was saved to disk
   */
  download(target: string, options?: DownloadOptions): Promise<string>;
  download(target: DownloadTarget, options?: DownloadOptions): Promise<string | undefined>;
  download(target: DownloadTarget, options: DownloadOptions = {}): Promise<string | undefined> {
    return downloadTo(this.#transport, this.#file(options.file), target, options);
  }

  /** The name that `download()` gives a file in a folder. */
  fileName({ file, signal }: Pick<DownloadOptions, 'file' | 'signal'> = {}): Promise<string> {
    return fileNameOf(this.#transport, this.#file(file), signal);
  }

  /** The file as a stream; a broken connection is continued. */
  stream({ file, signal }: Pick<DownloadOptions, 'file' | 'signal'> = {}): ReadableStream<Uint8Array> {
    const bytes = bytesOf(this.#transport, this.#file(file), { signal });
    return new ReadableStream({
      async pull(controller) {
        const { done, value } = await bytes.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await bytes.return(undefined)),
    });
  }

  /** The file in memory. */
  async blob(options: Pick<DownloadOptions, 'file' | 'signal'> = {}): Promise<Blob> {
    const { mediaType } = this.#file(options.file);
    const bytes = await new Response(this.stream(options)).arrayBuffer();
    return new Blob([bytes], { type: mediaType });
  }

  delete(): Promise<void> {
    return deleteTask(this.#transport, this.id);
  }

  #file(role?: string): RemoteFile & { mediaType: string } {
    const { files, file_name, sha256 } = this.output;
    const [main] = files;
    const file = role === undefined ? main : files.find((one) => one.role === role);
    if (!main || !file) {
      const roles = files.map((one) => one.role).join(', ');
      throw new SpoolError(`Task ${this.id} has no file "${role}". It has: ${roles}.`);
    }
    return {
      ...{ taskId: this.id, role: file.role, size: file.file_size, mediaType: file.media_type },
      ...(file === main ? { name: file_name, sha256 } : {}),
    };
  }
}

/** A task that was deleted already is no error. */
export async function deleteTask(transport: Transport, id: string): Promise<void> {
  try {
    await transport.request('DELETE', `/task/${id}`);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
}

interface Started {
  task: Task;
  /** Files of the request that were uploaded for it. */
  uploads: readonly Upload[];
}

/** A task that is being created. `await` it for the created task, or `wait()` for its result. */
export class PendingTask<Result> implements PromiseLike<Task> {
  readonly #transport: Transport;
  readonly #started: Promise<Started>;
  readonly #signal: AbortSignal | undefined;
  readonly #watchers = new Set<(progress: Progress) => void>();
  #upload: Progress | undefined;

  /** A request that was sent goes on when the signal is aborted, because `delete()` needs the id of its task. */
  constructor(
    transport: Transport,
    start: (report: (progress: Progress) => void) => Promise<Started>,
    signal?: AbortSignal,
  ) {
    this.#transport = transport;
    this.#signal = signal;
    this.#started = start((progress) => {
      this.#upload = progress;
      for (const watch of this.#watchers) watch(progress);
    });
    // Its error is that of wait() and delete(), which may come later, or not at all.
    this.#started.catch(() => undefined);
  }

  // biome-ignore lint/suspicious/noThenProperty: it stands for the task that is being created
  then<A = Task, B = never>(
    onTask?: ((task: Task) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return orAborted(this.#started, this.#signal)
      .then(({ task }) => task)
      .then(onTask, onError);
  }

  /** Waits until the task has completed. @throws TaskFailedError, or the error of the request */
  async wait(options: WaitOptions = {}): Promise<Result> {
    const { task: created, uploads } = await this.#created(options);
    try {
      const task = await waitFor(this.#transport, created.id, options);
      discard(this.#transport, uploads);
      return (task.plan ? task : new TaskResult(this.#transport, task)) as Result;
    } catch (error) {
      if (isEnd(error)) discard(this.#transport, uploads);
      throw error;
    }
  }

  async #created({ onProgress, signal }: WaitOptions): Promise<Started> {
    if (onProgress) {
      this.#watchers.add(onProgress);
      if (this.#upload) onProgress(this.#upload);
    }
    try {
      return await orAborted(orAborted(this.#started, this.#signal), signal);
    } finally {
      if (onProgress) this.#watchers.delete(onProgress);
    }
  }

  /** Stops the task if it is running, and deletes it with its files. */
  async delete(): Promise<void> {
    const { task, uploads } = await this.#started;
    await deleteTask(this.#transport, task.id);
    discard(this.#transport, uploads);
  }
}

/** Whether a task that ends the waiting like this reads its sources no more. */
const isEnd = (error: unknown) =>
  error instanceof TaskFailedError || (error instanceof NotFoundError && error.code !== undefined);

async function orAborted<Value>(value: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return value;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([value, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
