import type { EngineId } from '../../../schema/media/engines.ts';
import { asRequested } from '../../model/deinterlacing.ts';
import { admitColors, admitLooks } from '../../model/dolby-vision.ts';
import type { Brought, Facts, Limits, Plan, Planner } from '../../model/plan.ts';
import { withRemixed } from '../../model/remixed.ts';
import type { ProbedSource } from '../../model/source/media-source.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { NotInTime, withinTime } from '../../process/within-time.ts';
import type { AnalysisConditions } from '../analyses/analyzer.ts';
import { analyze } from '../analyses/index.ts';
import { admitSmallest } from '../verify/encoder-size.ts';
import type { MediaContext } from './media-context.ts';

interface Conditions extends AnalysisConditions {
  limits: Limits;
  brought?: Brought | undefined;
  /** How long each call of the planner may take. */
  planningMs?: number;
}

/** Planning runs in the process of all tasks, which ends itself if its event loop is blocked for ten seconds. */
const PLANNING_MS = 7000;

/**
 * Runs the analyses and plans the task. Throws TaskFailure if the request does not fit its sources, `request_too_complex` if planning
 * takes too long.
 */
export async function analyzeAndPlan<I>(
  ctx: MediaContext,
  planner: Planner<I>,
  input: I,
  sources: readonly ProbedSource[],
  { limits, brought, directory, providerKey, speechApi, workersAi, signal, planningMs }: Conditions,
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
  const analyses = inTime(() => planner.analyses(input, probes, means), planningMs);
  admitLooks(analyses, probes);
  const first = await analyze(ctx, analyses, request);
  const { letters } = first;
  try {
    const more = inTime(() => planner.again?.({ input, probes, facts: first, ...means }) ?? [], planningMs);
    admitLooks(more, probes);
    const facts = more.length === 0 ? first : await analyze(ctx, more, request, first);
    const once = () => inTime(() => planner.plan({ input, probes, facts, ...means }), planningMs);
    const plan = await planned(once, letters);
    admitSmallest(plan);
    return withRemixed(admitColors(plan, probes));
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

function inTime<T>(work: () => T, milliseconds = PLANNING_MS): T {
  try {
    return withinTime(work, milliseconds);
  } catch (error) {
    if (!(error instanceof NotInTime)) throw error;
    throw new TaskFailure('request_too_complex', TOO_COMPLEX, { cause: error });
  }
}

const TOO_COMPLEX = `Planning this task took more than ${PLANNING_MS / 1000} s. Use fewer clips, ranges, captions, words or replacements, or a shorter source.`;
