import { errorText, log } from '../../lib/log.ts';

/** Runs a step of a sweep. A failure is logged, so it does not keep the other steps waiting. @returns null if it failed */
export async function attempt<T>(step: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    log('error', 'sweep_failed', { step, error: errorText(error) });
    return null;
  }
}
