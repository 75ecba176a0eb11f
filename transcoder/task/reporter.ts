import { signatureHeaders } from '../../schema/api/signature.ts';
import { newId } from '../../schema/task/ids.ts';
import type { Stage } from '../../schema/task/task.ts';
import { type Expected, HEARTBEAT_SECONDS, type Report, WIRE_VERSION } from '../../schema/task/wire.ts';
import type { Log } from '../log.ts';
import { remaining } from './eta.ts';

type TerminalReport = Exclude<Report, { type: 'progress' }>;

/**
 * Outcome of a terminal report: after `stale` another attempt has taken over, or the task has ended; `rejected` is a message that the
 * Worker does not take from any attempt; `unknown` means no response in time.
 */
type Receipt = 'accepted' | 'stale' | 'rejected' | 'unknown';

interface ReporterOptions {
  url: string;
  secret: string;
  log: Log;
  /** How long similar work has taken before. */
  expected: Expected | undefined;
  /** Called once when the Worker says that this attempt is stale. */
  onStale: () => void;
}

const MIN_INTERVAL_MS = 500;
const ANSWER_MS = 10_000;
/** With the pause before it less than the two heartbeats for which an account that listens again waits for its attempts. */
const ANSWER_IN_OUTAGE_MS = 4000;
const RETRY_MS = [200, 500, 1000, 2000, 5000, 10_000, 10_000, 10_000, 10_000];
/** Then as long as an outage of the Worker may last. */
const OUTAGE_MS = 10 * 60_000;
const RETRY_IN_OUTAGE_MS = HEARTBEAT_SECONDS * 1000;
const RETRY_LEAVING_MS = [200, 500, 1000];
const STALE_STATUSES = [404, 409, 410];

/** Reports one attempt to the Worker. Progress reports never block the work and are never sent out of order. */
export class Reporter {
  readonly #options: ReporterOptions;
  readonly #heartbeat: NodeJS.Timeout;
  #now: { stage: Stage; percent: number } = { stage: 'waiting', percent: 0 };
  #startedAt: number | null = null;
  #expected: number | null;
  #sentStage: Stage | null = null;
  #sentAt = Number.NEGATIVE_INFINITY;
  #sending = false;
  #closed = false;
  #later: NodeJS.Timeout | null = null;

  constructor(options: ReporterOptions) {
    this.#options = options;
    this.#expected = options.expected?.typical_seconds ?? null;
    this.#heartbeat = setInterval(() => this.#send(), HEARTBEAT_SECONDS * 1000);
    this.#send();
  }

  /** Overall progress, 0–100; a decrease is not reported. */
  progress(stage: Stage, percent: number): void {
    if (stage !== 'waiting') this.#startedAt ??= performance.now();
    this.#now = { stage, percent: Math.max(this.#now.percent, Math.min(100, percent)) };
    this.#sendSoon();
  }

  /** The total duration of the sources, once it is known. */
  sourcesLast(seconds: number): void {
    const { expected } = this.#options;
    if (expected) this.#expected = expected.fixed_seconds + expected.per_source_second * seconds;
  }

  /**
   * Ends progress reports and sends the outcome, with retries for eleven minutes. If the attempt is aborted, they end after the first minute, with one more try.
   * @param signal Of the attempt.
   */
  async finish(report: TerminalReport, signal?: AbortSignal): Promise<Receipt> {
    this.close();
    for await (const limit of tries(report.type === 'released' ? RETRY_LEAVING_MS : RETRY_MS, signal)) {
      const status = await this.#post(report, limit);
      if (status !== null && status < 300) return 'accepted';
      if (status !== null && STALE_STATUSES.includes(status)) return 'stale';
      if (status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429)
        return 'rejected';
    }
    return 'unknown';
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#heartbeat);
    if (this.#later) clearTimeout(this.#later);
    this.#later = null;
  }

  #sendSoon(): void {
    const wait = this.#now.stage === this.#sentStage ? this.#sentAt + MIN_INTERVAL_MS - performance.now() : 0;
    if (wait <= 0) this.#send();
    else if (!this.#closed) this.#later ??= setTimeout(() => this.#send(), wait);
  }

  #send(): void {
    if (this.#closed || this.#sending) return;
    this.#sending = true;
    if (this.#later) clearTimeout(this.#later);
    this.#later = null;
    this.#sentStage = this.#now.stage;
    this.#sentAt = performance.now();
    const { stage, percent } = this.#now;
    const report: Report = {
      v: WIRE_VERSION,
      type: 'progress',
      stage,
      progress_percent: Math.round(percent * 10) / 10,
      eta_seconds: this.#eta(),
    };
    void this.#post(report).then((status) => {
      this.#sending = false;
      if (this.#closed) return;
      if (status !== null && STALE_STATUSES.includes(status)) {
        this.close();
        this.#options.onStale();
      } else if (this.#now.stage !== stage || this.#now.percent !== percent) this.#sendSoon();
    });
  }

  #eta(): number | null {
    const seconds = this.#startedAt === null ? 0 : (performance.now() - this.#startedAt) / 1000;
    const rest = remaining({ fraction: this.#now.percent / 100, seconds, expected: this.#expected });
    return rest === null ? null : Math.round(rest);
  }

  /** @returns the HTTP status, or null without a response. */
  async #post(report: Report, limit = ANSWER_MS): Promise<number | null> {
    const { url, secret, log } = this.#options;
    const body = JSON.stringify(report);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(await signatureHeaders(secret, newId('event'), body)),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(limit),
      });
      await response.arrayBuffer();
      if (!response.ok) log.warn('report not accepted', { type: report.type, status: response.status });
      return response.status;
    } catch (error) {
      log.warn('report not delivered', { type: report.type, error });
      return null;
    }
  }
}

/** Begins each try after its pause. @returns how long to wait for its answer. @param signal Ends the tries that follow the pauses; without one there are none. */
async function* tries(pauses: readonly number[], signal: AbortSignal | undefined): AsyncGenerator<number> {
  yield ANSWER_MS;
  for (const pause of pauses) {
    await paused(pause);
    yield ANSWER_MS;
  }
  const until = performance.now() + OUTAGE_MS;
  while (signal && !signal.aborted && performance.now() < until) {
    await paused(RETRY_IN_OUTAGE_MS, signal);
    yield ANSWER_IN_OUTAGE_MS;
  }
}

/** @param signal Ends the pause. */
function paused(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done);
  });
}
