import type { Answer, Request } from '../messages.ts';

declare const WORKER_URL: string;

type Last = Exclude<Answer, { kind: 'progress' }>;

const isLast = (answer: Answer): answer is Last =>
  answer.kind !== 'progress' && !(answer.kind === 'peaks' && !answer.isWhole);

/**
 * Gives a request to a worker of its own, which ends with it: its memory is free again, and a request can be stopped
 * at any time.
 */
export function ask(
  request: Request,
  { signal, onAnswer }: { signal?: AbortSignal; onAnswer?: (answer: Answer) => void } = {},
): Promise<Last> {
  const worker = new Worker(WORKER_URL, { type: 'module' });
  return new Promise<Last>((resolve, reject) => {
    const stop = () => reject(signal?.reason);
    if (signal?.aborted) return stop();
    signal?.addEventListener('abort', stop, { once: true });
    worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      if (isLast(data)) resolve(data);
      else onAnswer?.(data);
    });
    worker.addEventListener('error', () => resolve({ kind: 'failed', failure: { code: 'no_encoder' } }));
    worker.postMessage(request);
  }).finally(() => worker.terminate());
}
