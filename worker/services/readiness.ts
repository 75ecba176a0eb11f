import { z } from 'zod';
import { transcoderReady } from '../../schema/wire.ts';
import type { Context } from '../context.ts';
import { errorText, log } from '../lib/log.ts';

const check = z.strictObject({ ok: z.boolean() });

export const readiness = z
  .strictObject({
    status: z.enum(['ready', 'not_ready']),
    version: z.string(),
    checks: z.strictObject({
      database: check,
      storage: check,
      transcoder: z.strictObject({
        ok: z.boolean(),
        ...transcoderReady.omit({ v: true, status: true }).partial().shape,
      }),
    }),
  })
  .meta({ id: 'Readiness' });

async function passes(name: string, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    log('warn', 'not_ready', { check: name, error: errorText(error) });
    return false;
  }
}

/** Whether D1, R2 and a transcoder answer. */
export async function readinessOf(context: Context, version: string): Promise<z.output<typeof readiness>> {
  const state: { transcoder: Awaited<ReturnType<Context['transcoder']['ready']>> | null } = {
    transcoder: null,
  };
  const [database, storage, transcoder] = await Promise.all([
    passes('database', () => context.accounts.ping()),
    passes('storage', () => context.files.size('readyz')),
    passes('transcoder', async () => {
      state.transcoder = await context.transcoder.ready();
    }),
  ]);
  const {
    v: _v,
    status: transcoderStatus,
    ...facts
  } = state.transcoder ?? { v: 1, status: 'draining' as const };
  const transcoderOk = transcoder && transcoderStatus === 'ready';
  return {
    status: database && storage && transcoderOk ? 'ready' : 'not_ready',
    version,
    checks: {
      database: { ok: database },
      storage: { ok: storage },
      transcoder: { ok: transcoderOk, ...facts },
    },
  };
}
