import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WIRE_VERSION } from '../../../schema/task/wire.ts';
import { jsonLog } from '../../../transcoder/log.ts';
import { Reporter } from '../../../transcoder/task/reporter.ts';

const MINUTE = 60_000;

// Signing takes real time, which does not pass with that of the test.
vi.mock('../../../schema/api/signature.ts', () => ({ signatureHeaders: async () => ({}) }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const refusing = async (_: AbortSignal) => new Response('{}', { status: 503 });
/** A connection that is open, and brings nothing. */
const silent = (signal: AbortSignal) =>
  new Promise<Response>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

/** Reports a failure to a Worker that answers with an error until then, and says when each report was sent. */
function reporting(outageMs: number, signal?: AbortSignal, answer = refusing) {
  const began = Date.now();
  const sent: number[] = [];
  vi.stubGlobal('fetch', async (_url: string, { body, signal }: { body: string; signal: AbortSignal }) => {
    const at = Date.now() - began;
    if (JSON.parse(body).type === 'failed') sent.push(at);
    return at < outageMs ? answer(signal) : new Response('{}');
  });
  const reporter = new Reporter({
    ...{ url: 'https://spool.example.com/report', secret: 's'.repeat(32), expected: undefined },
    ...{ log: jsonLog({}, () => {}), onStale: () => {} },
  });
  const failure = { code: 'internal_error', detail: 'It failed.', stage: 'rendering' } as const;
  return { sent, receipt: reporter.finish({ v: WIRE_VERSION, type: 'failed', failure }, signal) };
}

describe('the report of the end of an attempt', () => {
  it('arrives within two heartbeats of the end of an outage of minutes', async () => {
    const { sent, receipt } = reporting(5 * MINUTE, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(6 * MINUTE);
    expect(await receipt).toBe('accepted');
    expect(sent.at(-1)).toBeLessThanOrEqual(5 * MINUTE + 10_000);
  });

  it('arrives as soon after an outage in which requests are not answered', async () => {
    // Node's own timer for a signal is none of those that the test moves on.
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error('no answer')), milliseconds);
      return controller.signal;
    });
    const { sent, receipt } = reporting(5 * MINUTE, new AbortController().signal, silent);
    await vi.advanceTimersByTimeAsync(6 * MINUTE);
    expect(await receipt).toBe('accepted');
    expect(sent.at(-1)).toBeLessThan(5 * MINUTE + 10_000);
    vi.restoreAllMocks();
  });

  it('is given up after ten minutes', async () => {
    const { sent, receipt } = reporting(Number.POSITIVE_INFINITY, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(12 * MINUTE);
    expect(await receipt).toBe('unknown');
    expect(sent.at(-1)).toBeGreaterThan(10 * MINUTE);
  });

  it('is tried once more when the attempt is stopped after the first minute', async () => {
    const stop = new AbortController();
    const { sent, receipt } = reporting(Number.POSITIVE_INFINITY, stop.signal);
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    const before = sent.length;
    stop.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(await receipt).toBe('unknown');
    expect(sent.length).toBe(before + 1);
  });
});
