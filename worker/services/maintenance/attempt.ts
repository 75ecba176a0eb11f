import { errorText, log } from '../../lib/log.ts';

/** Runs a step of a sweep. A failure is logged, so it does not keep the other steps waiting. @returns null if it failed */
export async function attempt<T>(step: string, work: () => Promise<T>): Promise<T | null> {
  return (await tried(step, work)).value ?? null;
}

/** Runs the steps of a sweep one after another, each whether or not others fail. Throws at the end if one did: the sweep failed. */
export async function attemptAll(steps: Readonly<Record<string, () => Promise<unknown>>>): Promise<void> {
  const failed: string[] = [];
  for (const [name, step] of Object.entries(steps)) if ((await tried(name, step)).failed) failed.push(name);
  if (failed.length > 0) throw new Error(`steps of a sweep failed: ${failed.join(', ')}`);
}

async function tried<T>(step: string, work: () => Promise<T>): Promise<{ value?: T; failed: boolean }> {
  try {
    return { value: await work(), failed: false };
  } catch (error) {
    log('error', 'sweep_failed', { step, error: errorText(error) });
    return { failed: true };
  }
}
