import { Container, type StopParams } from '@cloudflare/containers';
import { job, type TranscoderReady, transcoderReady } from '../../schema/task/wire.ts';
import type { Env } from '../bindings.ts';
import { makeContext } from '../context.ts';
import { readConfig } from '../env.ts';
import { errorText, log } from '../lib/log.ts';
import { WARM_HEADER } from '../lib/transcoder-client.ts';
import { ContainerNote } from './container-note.ts';
import type { TranscoderRpc } from './transcoder-rpc.ts';

/** An attempt that the container has accepted. */
interface Held {
  taskId: string;
  attempt: number;
}

const named = job.pick({ task_id: true, attempt: true });
const HELD = 'held';
const PORT = 8080;
/** Shorter than the Worker's timeout for a dispatch. */
const START_MS = 25_000;
/** Bounds the stored list. A container works on one attempt and may have accepted the next. */
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
      SPEECH_API_URL: config.SPEECH_API_URL,
      SPEECH_API_KEY: config.SPEECH_API_KEY,
      SPEECH_API_TRANSCRIPTION_MODEL: config.SPEECH_API_TRANSCRIPTION_MODEL,
      SPEECH_API_SPEECH_MODEL: config.SPEECH_API_SPEECH_MODEL,
      SPEECH_API_VOICE: config.SPEECH_API_VOICE,
    };
  }

  /** Records which attempts the container has accepted, to report them as lost if it dies. */
  override async fetch(request: Request): Promise<Response> {
    const dispatch = request.method === 'POST' && new URL(request.url).pathname === '/tasks';
    // What stops a task starts no machine for it, which the fleet would not count.
    if (!dispatch && !this.ctx.container?.running) return new Response(null, { status: 204 });
    const warm = Number(request.headers.get(WARM_HEADER));
    if (warm > 0) this.sleepAfter = Math.min(warm, this.longestSleep);
    const { listens, started } = await this.listens();
    this.ctx.waitUntil(listens ? this.note.awake({ started }) : this.note.failed());
    if (!listens) return new Response('The container does not start', { status: 502 });
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
   * The container has ended, for any reason. Attempts are reported by number, so that one that has ended or was handed back is
   * not counted as lost, even if this arrives late.
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

  /** `sleepAfter` counts only requests into the container, so ask a busy one and leave it running. */
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
   * Starts the container if necessary and waits until it listens. The library itself waits only 8 s; after that it may wait for
   * a container that runs but does not listen yet to end, and blocks all requests until then.
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

  /** Asks the container, which must be awake. */
  private async ready(): Promise<TranscoderReady> {
    const response = await this.containerFetch('http://transcoder/readyz', PORT);
    return transcoderReady.parse(await response.json());
  }

  private held(): Held[] {
    return this.ctx.storage.kv.get<Held[]>(HELD) ?? [];
  }

  /** If this fails, the leases of the attempts expire instead. */
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
