import { PROBE_MINUTES, type StatusPart } from '../../../schema/api/status.ts';
import { DAY_MS, midnight } from '../../../schema/time.ts';
import type { Context } from '../../context.ts';
import { errorText, log } from '../../lib/log.ts';
import { within } from '../../lib/within.ts';
import type { Probe } from '../../repos/status.ts';
import { foldProbes, isTaskDue, PROBE_DAYS } from './days.ts';
import { queueRoundTrip } from './echo.ts';
import { runProbeTask } from './probe-task.ts';

const INTERVAL_MS = PROBE_MINUTES * 60_000;
const BOUND_MS = { part: 5000, queue: 20_000, task: 60_000, save: 5000 };
/** Slots come round after an hour. */
const SLOTS = 60 / PROBE_MINUTES;

type Outcome = Pick<Probe, 'ok' | 'overheadMs'>;

async function outcomeOf(part: StatusPart, ms: number, work: () => Promise<unknown>): Promise<Outcome> {
  try {
    const found = await within(ms, work());
    return { ok: true, overheadMs: typeof found === 'number' ? found : null };
  } catch (error) {
    log('warn', 'status_probe_failed', { part, error: errorText(error) });
    return { ok: false, overheadMs: null };
  }
}

/** Whether the last report of a transcoder is a good one; null if there is none from the time since the last probe. */
async function transcoderState({ transcoder }: Context, now: number): Promise<boolean | null> {
  const state = await transcoder.state();
  if (!state || state.checkedAt < now - INTERVAL_MS) return null;
  return state.said?.status === 'ready';
}

/**
 * Probes every part, each within its own time, and records what was found. What cannot be known, because the part that would say it
 * does not answer, is not recorded.
 */
export async function probeParts(context: Context, now: number): Promise<void> {
  const { status, statusObjects, config } = context;
  const slot = String(Math.floor(now / INTERVAL_MS) % SLOTS);
  const due = isTaskDue(now, config.STATUS_TASK_MINUTES);
  const [database, storage, queue, task] = await Promise.all([
    outcomeOf('database', BOUND_MS.part, () => status.writeAndRead(now)),
    outcomeOf('storage', BOUND_MS.part, () => statusObjects.putGetDelete(slot)),
    outcomeOf('queue', BOUND_MS.queue, () => queueRoundTrip(context, slot, BOUND_MS.queue)),
    due && outcomeOf('task', 2 * BOUND_MS.task, () => runProbeTask(context, now, BOUND_MS.task)),
  ]);
  // Last, because a container that ran the task has just reported its state.
  const ready = await transcoderState(context, now);
  const outcomes: [StatusPart, Outcome | false | null][] = [
    ['database', database],
    ['storage', storage],
    // Its arrival is noted in the storage.
    ['queue', storage.ok && queue],
    ['transcoder', ready === null ? null : { ok: ready, overheadMs: null }],
    ['task', task],
  ];
  const probes = outcomes.flatMap(([part, outcome]) => (outcome ? [{ at: now, part, ...outcome }] : []));
  await save(context, probes, now);
}

/** Writes the probes to the database, with those that it could not take before. */
async function save(
  { status, statusObjects }: Context,
  probes: readonly Probe[],
  now: number,
): Promise<void> {
  const since = midnight(now) - PROBE_DAYS * DAY_MS;
  const earlier = await within(BOUND_MS.save, statusObjects.unsaved()).catch(() => null);
  const all = [...(earlier ?? []).filter(({ at }) => at >= since), ...probes];
  try {
    await within(BOUND_MS.save, record(status, all));
    if (earlier && earlier.length > 0) await within(BOUND_MS.save, statusObjects.setUnsaved([]));
  } catch (error) {
    log('warn', 'status_not_saved', { probes: all.length, error: errorText(error) });
    // Those that cannot be read are left in place: all of an outage is worth more than its last minutes.
    if (earlier) await within(BOUND_MS.save, statusObjects.setUnsaved(all));
  }
}

async function record(status: Context['status'], probes: readonly Probe[]): Promise<void> {
  await status.addProbes(probes);
  const oldest = Math.min(...probes.map(({ at }) => at));
  await status.setDays(foldProbes(await status.probesSince(midnight(oldest))));
}
