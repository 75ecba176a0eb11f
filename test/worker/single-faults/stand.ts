import type { Job } from '../../../schema/task/wire.ts';
import { type Service, startService, type TestAccount } from '../../harness.ts';
import { rows as rowsOf } from '../pages/rows.ts';
import { type StandIn, startStandIn } from '../stand-in.ts';
import type { Mode } from './plan.ts';

/** Set by startStand: a service whose calls to other parts fail as a test says, and a stand-in for its transcoder. */
export let service: Service;
export let transcoder: StandIn;

/** `onJob` gets every job that the stand-in takes. */
export async function startStand(
  vars: Record<string, string> = {},
  onJob: (job: Job, standIn: StandIn) => void = () => {},
): Promise<void> {
  transcoder = await startStandIn({ free: 100, onJob });
  service = await startService(
    { TRANSCODER_URL: transcoder.origin, MAIL: 'outbox', SIGN_UP: 'trial', ...vars },
    { entry: 'test/worker/single-faults/faults-worker.ts' },
  );
}

export async function closeStand(): Promise<void> {
  await service.close();
  await transcoder.close();
}

/** The next call for this account, or the next few, whose label contains `match` fails so, as faults-worker.ts labels them. */
export async function failNext(
  { id: scope }: { id: string },
  match: string,
  mode: Mode,
  times = 1,
): Promise<void> {
  await service.request('/faults', { json: { scope, match, mode, nth: 0, times } });
}

/** The calls for an account since the last fault was set. */
export async function callsOf({ id }: { id: string }): Promise<{ label: string; fault: Mode | null }[]> {
  return (await (await service.request(`/faults/${id}`)).json()) as { label: string; fault: Mode | null }[];
}

/** A request whose calls count for the account. */
export const ask = (
  path: string,
  { id, key }: TestAccount,
  { headers, ...init }: RequestInit & { json?: unknown } = {},
) =>
  service.request(path, {
    key,
    ...init,
    headers: { 'x-fault-scope': id, ...(headers as Record<string, string> | undefined) },
  });

/** Keys of the multipart uploads that were begun and neither joined nor aborted. */
export async function openParts(): Promise<string[]> {
  const open = (await (await service.request('/open-parts')).json()) as [string, string][];
  return open.map(([, key]) => key);
}

export const rows = <T>(text: string, ...values: unknown[]): Promise<T[]> =>
  rowsOf<T>(service, text, ...values);
