import { type DownloadOptions, type DownloadTarget, listenTo } from './download.ts';
import type { StartOptions } from './operations.ts';
import { type Listing, listing } from './pages.ts';
import {
  deleteTask,
  PendingTask,
  type Progress,
  TaskResult,
  type WaitOptions,
  waitFor,
} from './pending-task.ts';
import { type OperationMethods, operationPaths } from './printed/operations.ts';
import type {
  Account,
  OperationName,
  Task,
  Upload,
  Usage,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookSecret,
} from './printed/schemas.ts';
import type { LocalFile } from './source.ts';
import { checkHeaders, type SpoolOptions, Transport } from './transport.ts';
import { discard, type UploadOptions, uploadFile, withUploads } from './upload.ts';

interface Signal {
  signal?: AbortSignal;
}

export interface TaskFilter extends Signal {
  status?: Task['status'];
  operation?: OperationName;
  /** ISO 8601 with a time zone. */
  created_after?: string;
  created_before?: string;
  /** Tasks per page; 1 to 100. */
  limit?: number;
}

export interface DeliveryFilter extends Signal {
  task_id?: string;
  status?: WebhookDelivery['status'];
  limit?: number;
}

type EventType = WebhookEndpoint['events'][number];

/**
 * A Spool service.
 *
 * ```ts
 * const spool = new Spool({ baseUrl: 'https://spool.example.com', apiKey });
 * const out = await spool.cut({ video_url, start: 1.5, duration: 5 }).wait();
 * await out.download('cut.mp4');
 * ```
 */
export interface Spool extends OperationMethods {}
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor makes a method of every path
export class Spool {
  readonly #transport: Transport;

  constructor(options: SpoolOptions = {}) {
    this.#transport = new Transport(options);
    for (const [name, path] of Object.entries(operationPaths)) {
      Object.defineProperty(this, name, {
        value: (input: object, start?: StartOptions) => this.#start(path, input, start),
      });
    }
  }

  get baseUrl(): string {
    return this.#transport.baseUrl;
  }

  #start(path: string, input: object, { signal, idempotencyKey, headers }: StartOptions = {}) {
    const start = async (report: (progress: Progress) => void) => {
      const onProgress = ({ sent, total }: { sent: number; total: number }) =>
        report({
          ...{ status: 'uploading', stage: 'waiting', etaSeconds: null, task: null },
          percent: total === 0 ? 100 : (sent / total) * 100,
        });
      const given = { ...headers, 'idempotency-key': idempotencyKey ?? crypto.randomUUID() };
      checkHeaders(given);
      const ready = await withUploads(this.#transport, input, { signal, onProgress });
      let mayExist = false;
      try {
        const task = await this.#transport.json<Task>('POST', path, {
          json: ready.input,
          headers: given,
          signal,
          repeatable: true,
          onUnclear: () => {
            mayExist = true;
          },
        });
        return { task, uploads: ready.uploads };
      } catch (error) {
        // A task that was created after all reads them.
        if (!mayExist) discard(this.#transport, ready.uploads);
        throw error;
      }
    };
    return new PendingTask(this.#transport, start, signal);
  }

  readonly tasks = {
    get: (id: string, { signal }: Signal = {}) =>
      this.#transport.json<Task>('GET', `/task/${encodeURIComponent(id)}`, { signal }),

    /** The tasks of the account, newest first. */
    list: ({ signal, ...filter }: TaskFilter = {}): Listing<Task> =>
      listing(this.#transport, '/tasks', filter, signal),

    /** Waits for a task that was started elsewhere. @throws NoFilesError for a dry run, with its plan */
    wait: async <Name extends OperationName = OperationName>(id: string, options?: WaitOptions) =>
      new TaskResult<Name>(this.#transport, await waitFor(this.#transport, encodeURIComponent(id), options)),

    /** Saves a file of a completed task. @returns the path, if it was saved to disk */
    download: async (id: string, target: DownloadTarget, options?: DownloadOptions) => {
      listenTo(target);
      return new TaskResult(this.#transport, await this.tasks.get(id)).download(target, options);
    },

    /** Stops the task if it is running, and deletes it with its files. */
    delete: (id: string) => deleteTask(this.#transport, encodeURIComponent(id)),
  };

  readonly uploads = {
    /** Sends a file, to use it in several requests as `upload:<id>`. */
    create: (file: Blob | LocalFile, options?: UploadOptions) => uploadFile(this.#transport, file, options),
    get: (id: string, { signal }: Signal = {}) =>
      this.#transport.json<Upload>('GET', `/uploads/${encodeURIComponent(id)}`, { signal }),
    list: ({ signal, ...filter }: Signal & { limit?: number } = {}): Listing<Upload> =>
      listing(this.#transport, '/uploads', filter, signal),
    delete: async (id: string) =>
      void (await this.#transport.request('DELETE', `/uploads/${encodeURIComponent(id)}`)),
  };

  readonly webhooks = {
    createEndpoint: (endpoint: { url: string; events?: EventType[] }) =>
      this.#transport.json<WebhookEndpoint>('POST', '/webhooks/endpoints', { json: endpoint }),
    listEndpoints: async () =>
      (await this.#transport.json<WebhookEndpointList>('GET', '/webhooks/endpoints')).data,
    deleteEndpoint: async (id: string) =>
      void (await this.#transport.request('DELETE', `/webhooks/endpoints/${encodeURIComponent(id)}`)),
    /** The secret that signs webhooks, for `verifyWebhook`. */
    secret: () => this.#transport.json<WebhookSecret>('GET', '/webhooks/secret'),
    rotateSecret: () => this.#transport.json<WebhookSecret>('POST', '/webhooks/secret/rotate'),
    deliveries: ({ signal, ...filter }: DeliveryFilter = {}): Listing<WebhookDelivery> =>
      listing(this.#transport, '/webhooks/deliveries', filter, signal),
    redeliver: (id: string) =>
      this.#transport.json<WebhookDelivery>(
        'POST',
        `/webhooks/deliveries/${encodeURIComponent(id)}/redeliver`,
      ),
    /** Sends a `webhook.test` event. */
    test: (receiver: { endpoint_id: string } | { url: string }) =>
      this.#transport.json<WebhookDelivery>('POST', '/webhooks/test', { json: receiver }),
  };

  /** Plan, limits and current use of your account. */
  account({ signal }: Signal = {}): Promise<Account> {
    return this.#transport.json('GET', '/account', { signal });
  }

  /** Use by day and operation. Days are UTC, such as `2026-11-20`. */
  usage({ signal, ...days }: Signal & { from?: string; to?: string } = {}): Promise<Usage> {
    return this.#transport.json('GET', '/usage', { query: days, signal });
  }
}
