import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plan } from '../../model/plan.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { collectGarbage } from '../../process/collect-garbage.ts';
import { LibavFailure } from '../libav/pool.ts';
import { runStep, weightOf } from '../steps/index.ts';
import { readsMost } from '../steps/read-in-part.ts';
import type { StepConditions } from '../steps/step-runner.ts';
import { identityProblem } from '../verify/identity.ts';
import type { MediaContext } from './media-context.ts';
import { spentAfter } from './raw-sound.ts';
import type { Rendered } from './rendered.ts';

interface RenderRequest extends Omit<StepConditions, 'onProgress'> {
  /** Called with a fraction 0–1 that never falls. */
  onProgress?: (fraction: number) => void;
}

/**
 * Executes the steps of a plan in order. If libav fails, it executes the fallback (`otherwise`) instead, which may have one too. Throws
 * TaskFailure, or the reason of `signal`.
 */
export async function render(ctx: MediaContext, plan: Plan, request: RenderRequest): Promise<Rendered> {
  if (plan.rendered_because) ctx.log.info('no packets are copied', { because: plan.rendered_because });
  let highest = 0;
  const onProgress = (fraction: number) => {
    if (fraction <= highest) return;
    highest = fraction;
    request.onProgress?.(fraction);
  };
  const rising = { ...request, onProgress };
  let last = plan;
  for (; last.otherwise; last = last.otherwise) {
    try {
      const rendered = await execute(ctx, last, rising);
      const problem = await refused(ctx, rendered, rising);
      if (problem === null) return rendered;
      ctx.log.warn('the result shows other frames than planned; the fallback is tried', { problem });
    } catch (error) {
      if (!(error instanceof LibavFailure)) throw error;
      ctx.log.warn('libav failed; the fallback is tried', { error });
    }
  }
  const rendered = await execute(ctx, last, rising);
  const problem = await refused(ctx, rendered, rising);
  if (problem === null) return rendered;
  const partly = request.sources.filter((source) => source.parts().present !== null);
  if (partly.length === 0 || !last.steps.some(({ kind }) => kind === 'render'))
    throw new TaskFailure('output_invalid', problem);
  ctx.log.warn('the result shows other frames than planned; sources are read as a whole', { problem });
  for (const source of partly) await source.whole();
  const again = await execute(ctx, last, rising);
  const left = await refused(ctx, again, rising);
  if (left !== null) throw new TaskFailure('output_invalid', left);
  return again;
}

/** Checks which frames the result shows. @returns the problem, or null. */
async function refused(
  ctx: MediaContext,
  { expect, time_map }: Rendered,
  { directory, sources, signal }: StepConditions,
): Promise<string | null> {
  for (const expected of expect.media) {
    const made = { path: join(directory, expected.file), time_map };
    const problem = await identityProblem(ctx, expected, made, sources, signal);
    if (problem !== null) return problem;
  }
  return null;
}

/** Runs the steps in order and merges their findings into the plan's data. */
async function execute(ctx: MediaContext, plan: Plan, conditions: StepConditions): Promise<Rendered> {
  const { directory, sources, signal, onProgress } = conditions;
  for (const [index, source] of sources.entries())
    if (readsMost(plan.steps, index, source)) await source.whole();
  const total = plan.steps.reduce((sum, step) => sum + weightOf(step), 0);
  const data = { ...plan.data };
  // What was needed to plan.
  collectGarbage();
  let done = 0;
  const spent = spentAfter(plan.steps);
  for (const [index, step] of plan.steps.entries()) {
    signal?.throwIfAborted();
    const weight = weightOf(step);
    const reach = (fraction: number) => onProgress(Math.min(1, (done + weight * fraction) / total));
    Object.assign(data, await runStep(ctx, step, { ...conditions, onProgress: reach }));
    for (const file of spent[index] ?? []) await rm(join(directory, file), { force: true });
    reach(1);
    done += weight;
  }
  const [main, ...others] = plan.files.map(({ role, file, extension, media_type }) => ({
    ...{ role, extension, media_type },
    path: join(directory, file),
  }));
  if (!main) throw new Error('the plan has no files');
  const { expect, duration, width, height, fps, time_map, warnings } = plan;
  return { files: [main, ...others], expect, duration, width, height, fps, data, time_map, warnings };
}
