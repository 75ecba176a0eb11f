import type { z } from 'zod';
import type { HostReply } from './protocol.ts';

const BEAT_MS = 2000;

export interface Work {
  /** Reports that the model is in memory: failures from now on are not caused by a missing model. */
  loaded: () => void;
  progress: (fraction: number) => void;
}

/** Answers the parent's requests one at a time, and exits with the parent. */
export function serve<T>(schema: z.ZodType<T>, answer: (request: T, work: Work) => Promise<unknown>): void {
  const say = (message: HostReply) => process.send?.(message);
  process.on('disconnect', () => process.exit(0));
  process.on('message', async (message) => {
    try {
      const value = await answer(schema.parse(message), {
        loaded: () => say({ type: 'loaded' }),
        progress: (fraction) => say({ type: 'progress', fraction }),
      });
      say({ type: 'done', value });
    } catch (error) {
      say({ type: 'failed', detail: error instanceof Error ? error.message : String(error) });
    }
  });
  setInterval(() => say({ type: 'beat' }), BEAT_MS);
  say({ type: 'ready' });
}

/** Keeps the most recently used models: they are large, and consecutive tasks tend to need the same one. */
export function latestLoaded<T>(most: number) {
  const kept = new Map<string, T>();
  return async (description: unknown, load: () => Promise<T>): Promise<T> => {
    const key = JSON.stringify(description);
    const [oldest] = kept.keys();
    const known = kept.get(key);
    if (known === undefined && kept.size === most && oldest !== undefined) kept.delete(oldest);
    const value = known ?? (await load());
    kept.delete(key);
    kept.set(key, value);
    return value;
  };
}
