import type { z } from 'zod';
import { type EngineId, engineOf } from '../../../schema/media/engines.ts';
import { type OperationName, operations } from '../../../schema/operations/index.ts';
import type { EngineNeed } from '../../../schema/operations/operation.ts';
import type { Context } from '../../context.ts';
import { fieldProblem } from '../../lib/problem.ts';
import { engineNow } from './engine-now.ts';
import { bringsProvider } from './provider-key.ts';

type Parsed = z.output<(typeof operations)[OperationName]['input']>;

/**
 * Refuses a request whose engines are all known to be unavailable, instead of a task that would fail. Says nothing while no transcoder
 * has answered, and of engines that work with a key of the caller.
 * @throws Problem engine_unavailable
 */
export async function checkEngines(
  context: Context,
  name: OperationName,
  input: Parsed,
  headers: Headers,
): Promise<void> {
  const operation = operations[name];
  const needs =
    'engines' in operation ? (operation.engines as (value: Parsed) => readonly EngineNeed[])(input) : [];
  const asked = needs.filter(({ engines }) => !bringsOne(name, headers, engines));
  if (asked.length === 0) return;
  const said = (await context.transcoder.state())?.said ?? null;
  const gone = (id: EngineId) => engineNow(context, said, id).available === false;
  const need = asked.find(({ engines }) => engines.every(gone));
  if (!need) return;
  const [first] = need.engines;
  const own = first && need.engines.length === 1 && engineOf(first).paidBy ? ` ${engineOf(first).get}` : '';
  const titles = need.engines.map((id) => engineOf(id).title);
  const detail =
    titles.length === 1
      ? `${titles[0]} is not available. \`GET /capabilities\` lists the available engines.${own}`
      : `None of the engines for it is available: ${titles.join(', ')}.`;
  throw fieldProblem('engine_unavailable', [{ pointer: need.pointer, code: 'engine_unavailable', detail }]);
}

/** Whether the caller may bring one of these engines. */
function bringsOne(name: OperationName, headers: Headers, engines: readonly EngineId[]): boolean {
  if (engines.some((id) => engineOf(id).paidBy === 'caller')) return true;
  return bringsProvider(name, headers) && engines.some((id) => engineOf(id).paidBy !== undefined);
}
