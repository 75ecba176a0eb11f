import { z } from 'zod';
import { transcoderReady } from '../../../schema/task/wire.ts';
import { isoOrNull } from '../../../schema/time.ts';
import type { Context } from '../../context.ts';
import { errorText, log } from '../../lib/log.ts';
import { oncePer } from '../../lib/once-per.ts';
import { sharedAnswer } from '../../lib/shared-answer.ts';
import { within } from '../../lib/within.ts';

const check = z.strictObject({ ok: z.boolean() });

export const readiness = z
  .strictObject({
    status: z.enum(['ready', 'not_ready']),
    version: z.string(),
    checks: z.strictObject({
      database: check,
      storage: check,
      transcoder: z.strictObject({
        ok: z.boolean().nullable().meta({
          description: 'Null until the first task starts a container.',
        }),
        checked_at: z.iso.datetime().nullable().meta({
          description:
            'Time of the last report. A fleet is asked every few seconds. A container reports when it starts and while it works; this check never starts one.',
        }),
        ...transcoderReady.omit({ v: true, status: true }).partial().shape,
      }),
    }),
  })
  .meta({ id: 'Readiness' });

/** How often each isolate asks D1 and R2 at most, because this needs no key. */
const ASK = { goodMs: () => 2000, waitMs: 5000 };
/** A store that takes longer does not answer. */
const ANSWER_MS = 3000;

async function passes(name: string, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await within(ANSWER_MS, work());
    return true;
  } catch (error) {
    log('warn', 'not_ready', { check: name, error: errorText(error) });
    return false;
  }
}

const storesOf = oncePer((context: Context) =>
  sharedAnswer(async () => {
    const [database, storage] = await Promise.all([
      passes('database', () => context.accounts.ping()),
      passes('storage', () => context.files.size('readyz')),
    ]);
    return { database, storage };
  }, ASK),
);

/** Whether D1 and R2 answer, and the known state of the transcoder. Does not start a container. */
export async function readinessOf(context: Context, version: string): Promise<z.output<typeof readiness>> {
  const [answer, state] = await Promise.all([storesOf(context)(), context.transcoder.state()]);
  const { database, storage } = answer ?? { database: false, storage: false };
  const { v: _v, status: said, ...facts } = state?.said ?? { v: 1, status: null };
  const onDemand = context.config.TRANSCODER_URL === '';
  const ok = state === null && onDemand ? null : said === 'ready';
  return {
    status: database && storage && ok !== false ? 'ready' : 'not_ready',
    version,
    checks: {
      database: { ok: database },
      storage: { ok: storage },
      transcoder: {
        ok,
        checked_at: isoOrNull(state?.checkedAt ?? null),
        ...facts,
      },
    },
  };
}
