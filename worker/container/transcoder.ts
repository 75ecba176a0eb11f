import { Container, type StopParams } from '@cloudflare/containers';
import { job, type TranscoderReady, transcoderReady } from '../../schema/task/wire.ts';
import type { Env } from '../bindings.ts';
import { makeContext } from '../context.ts';
import { readConfig } from '../env.ts';
import { errorText, log } from '../lib/log.ts';
import { WARM_HEADER } from '../lib/transcoder-client.ts';
import { ContainerNote } from './container-note.ts';
import type { TranscoderRpc } from './transcoder-rpc.ts';

/** An attempt at a task that the container has taken. */
interface Held {
  taskId: string;
  attempt: number;
}

const named = job.pick({ task_id: true, attempt: true });
const HELD = 'held';
const PORT = 8080;
/** Less than the Worker waits for the answer to a dispatch. */
const START_MS = 25_000;
/** A container works on one attempt and may have taken the next; more than these it never holds. */
const MOST_HELD = 4;

/** A container instance: one slot of one account, `<account>/<slot>`. */
export class Transcoder extends Container<Env> implements TranscoderRpc {
  override defaultPort = PORT;
  override enableInternet = true;
  private readonly longestSleep: number;
  private readonly note: ContainerNote;

  constructor(ctx: DurableObjectState<object>, env: Env) {
    super(ctx, env);
    const config = readConfig(env);
    this.longestSleep = config.TRANSCODER_SLEEP_SECONDS;
    this.sleepAfter = this.longestSleep;
    this.note = new ContainerNote(makeContext(env).transcoderState, () => this.ready());
    this.envVars = {
      PORT: String(PORT),
      HOST: '0.0.0.0',
      SLOTS: '1',
      SPOOL_ENV: config.SPOOL_ENV,
      SPOOL_DEV_ORIGINS: config.SPOOL_DEV_ORIGINS.join(','),
      TRANSCODER_SECRET: config.TRANSCODER_SECRET,
      S3_ENDPOINT: config.S3_ENDPOINT,
      S3_BUCKET: config.S3_BUCKET,
      S3_ACCESS_KEY_ID: config.S3_ACCESS_KEY_ID,
      S3_SECRET_ACCESS_KEY: config.S3_SECRET_ACCESS_KEY,
    };
  }

  /** Remembers which attempts the container has taken, to say which are lost when it dies. */
  override async fetch(request: Request): Promise<Response> {
    const warm = Number(request.headers.get(WARM_HEADER));
    if (warm > 0) this.sleepAfter = Math.min(warm, this.longestSleep);
    const { listens, started } = await this.listens();
    this.ctx.waitUntil(listens ? this.note.awake({ started }) : this.note.failed());
    if (!listens) return new Response('The container does not start', { status: 502 });
    const dispatch = request.method === 'POST' && new URL(request.url).pathname === '/tasks';
    if (!dispatch) return super.fetch(request);
    const body = await request.text();
    const response = await super.fetch(new Request(request, { body }));
    if (response.status === 202) {
      const { task_id: taskId, attempt } = named.parse(JSON.parse(body));
      this.ctx.storage.kv.put(HELD, [{ taskId, attempt }, ...this.held()].slice(0, MOST_HELD));
    }
    return response;
  }

  /**
   * The container has ended, by whatever cause. The account hears of each attempt by its number, so that one which has ended
   * or was handed back is not counted as lost, however late this comes.
   */
  override async onStop({ exitCode, reason }: StopParams): Promise<void> {
    log('info', 'container_stopped', { instance: this.ctx.id.name, exit_code: exitCode, reason });
    await this.tellLost();
  }

  override async onError(error: unknown): Promise<void> {
    log('error', 'container_failed', { instance: this.ctx.id.name, error: errorText(error) });
    if (!this.ctx.container?.running) await this.tellLost();
  }

  async retire(): Promise<void> {
    if (this.ctx.container?.running) await this.onActivityExpired();
  }

  /** `sleepAfter` counts requests into the container only; one that works is asked and left alone. */
  override async onActivityExpired(): Promise<void> {
    try {
      const { busy } = await this.ready();
      if (busy > 0) {
        this.renewActivityTimeout();
        return;
      }
    } catch (error) {
      log('warn', 'container_silent', { error: errorText(error) });
    }
    await this.stop();
  }

  /**
   * Starts the container where it does not run, and awaits that it listens. By itself the library does so for 8 s; then it may
   * await the end of a container that runs and does not listen yet, and no request gets through until that has come.
   */
  private async listens(): Promise<{ listens: boolean; started: boolean }> {
    const { status } = await this.getState();
    if (this.ctx.container?.running && status === 'healthy') return { listens: true, started: false };
    const cancellationOptions = {
      abort: AbortSignal.timeout(START_MS),
      instanceGetTimeoutMS: 2 * START_MS,
      portReadyTimeoutMS: 2 * START_MS,
    };
    try {
      await this.startAndWaitForPorts({ ports: PORT, cancellationOptions });
      return { listens: true, started: true };
    } catch (error) {
      log('warn', 'container_not_ready', { instance: this.ctx.id.name, error: errorText(error) });
      return { listens: false, started: false };
    }
  }

  /** Asks the container, which has to be awake. */
  private async ready(): Promise<TranscoderReady> {
    const response = await this.containerFetch('http://transcoder/readyz', PORT);
    return transcoderReady.parse(await response.json());
  }

  private held(): Held[] {
    return this.ctx.storage.kv.get<Held[]>(HELD) ?? [];
  }

  /** Where this fails, the leases of the attempts run out. */
  private async tellLost(): Promise<void> {
    const [accountId] = (this.ctx.id.name ?? '').split('/');
    const held = this.held();
    this.ctx.storage.kv.delete(HELD);
    if (!accountId || held.length === 0) return;
    const account = this.env.ACCOUNT.getByName(accountId);
    const told = await Promise.allSettled(held.map(({ taskId, attempt }) => account.lost(taskId, attempt)));
    for (const result of told)
      if (result.status === 'rejected') log('error', 'loss_not_told', { error: errorText(result.reason) });
  }
}
