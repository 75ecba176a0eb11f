import type { EngineId } from '../../../schema/media/engines.ts';
import { asRequested } from '../../model/deinterlacing.ts';
import type { Brought, Facts, Limits, Plan, Planner } from '../../model/plan.ts';
import { withRemixed } from '../../model/remixed.ts';
import type { ProbedSource } from '../../model/source/media-source.ts';
import type { BroughtProviders } from '../../model/speech-endpoint.ts';
import { analyze } from '../analyses/index.ts';
import { admitSmallest } from '../verify/encoder-size.ts';
import type { MediaContext } from './media-context.ts';

interface Conditions extends BroughtProviders {
  limits: Limits;
  brought?: Brought | undefined;
  /** The job's directory. */
  directory: string;
  /** The caller's provider key, if the request included one. */
  providerKey?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Runs the analyses and plans the task. Throws TaskFailure if the request does not fit its sources. */
export async function analyzeAndPlan<I>(
  ctx: MediaContext,
  planner: Planner<I>,
  input: I,
  sources: readonly ProbedSource[],
  { limits, brought, directory, providerKey, speechApi, workersAi, signal }: Conditions,
): Promise<Plan> {
  const probes = sources.map(({ probe }) => {
    const { video } = probe;
    const fields = video && planner.deinterlacing?.(input, video);
    return fields ? asRequested(probe, fields) : probe;
  });
  const own = new Set<EngineId>(providerKey === undefined ? [] : ['elevenlabs']);
  if (speechApi) own.add('speech_api').add('speech_api_tts');
  const engines = new Set<EngineId>([...(ctx.engines?.present ?? []), ...own]);
  if (workersAi) engines.add('workers_ai').add('workers_ai_tts');
  const means = { limits, capabilities: ctx.capabilities, engines, own, ...(brought ? { brought } : {}) };
  const request = { probes, sources, directory, providerKey, speechApi, workersAi, signal };
  const first = await analyze(ctx, planner.analyses(input, probes, means), request);
  const { letters } = first;
  try {
    const more = planner.again?.({ input, probes, facts: first, ...means }) ?? [];
    const facts = more.length === 0 ? first : await analyze(ctx, more, request, first);
    const plan = await planned(() => planner.plan({ input, probes, facts, ...means }), letters);
    admitSmallest(plan);
    return withRemixed(plan);
  } finally {
    if (letters && 'close' in letters) letters.close();
  }
}

/** Plans again as long as texts were measured with an estimate of the caller's font. */
async function planned(plan: () => Plan, letters: Facts['letters']): Promise<Plan> {
  let made = plan();
  while (letters && 'settle' in letters && (await letters.settle())) made = plan();
  return made;
}
