import { plans } from '../../schema/api/plans.ts';
import { type OperationName, operations } from '../../schema/operations/index.ts';
import { taskLimits } from '../../schema/task/wire.ts';
import { analyzeAndPlan } from '../../transcoder/media/execute/analyze-and-plan.ts';
import { completeSource } from '../../transcoder/media/execute/complete-source.ts';
import { render } from '../../transcoder/media/execute/execute-plan.ts';
import type { MediaContext } from '../../transcoder/media/execute/media-context.ts';
import type { Rendered } from '../../transcoder/media/execute/rendered.ts';
import { probeMedia } from '../../transcoder/media/probe/probe-media.ts';
import { contained, readable, withSteadySources } from '../../transcoder/media/remux/remux.ts';
import { verify } from '../../transcoder/media/verify/verify.ts';
import type { Plan } from '../../transcoder/model/plan.ts';
import type { MediaSource } from '../../transcoder/model/source/media-source.ts';
import { plannerOf } from '../../transcoder/operations/index.ts';
import { demuxerOfFile } from '../../transcoder/source/sniff.ts';

/**
 * Runs everything of an Elite task between download and upload, with local files as its sources, in the order in which the
 * operation names them. Throws TaskFailure. @param directory For the files.
 */
export async function operateOnFiles(
  ctx: MediaContext,
  name: OperationName,
  paths: readonly string[],
  request: Record<string, unknown>,
  directory: string,
): Promise<{ plan: Plan; rendered: Rendered }> {
  const limits = taskLimits.parse(plans.elite);
  const input: Record<string, unknown> = operations[name].input.parse(request);
  const probe = (one: MediaSource) => probeMedia(ctx, one);
  const sources = await Promise.all(
    paths.map(async (path, index) => {
      const format = await demuxerOfFile(path);
      if (!format) throw new Error(`${path} is not media`);
      const opened = await completeSource({ path, format });
      const { remuxedFor } = plannerOf(name);
      const source = await contained(ctx, opened, { directory, name: `contained-${index}`, remuxedFor });
      const reading = { probe, remuxedFor };
      return readable(ctx, source, reading, { directory, name: `repacked-${index}` });
    }),
  );
  const naming = (index: number) => ({ directory, name: `even-${index}`, probe });
  const made = await withSteadySources(ctx, sources, naming, async (from) => {
    const plan = await analyzeAndPlan(ctx, plannerOf(name), input, from, { limits, directory });
    return { plan, rendered: await render(ctx, plan, { directory, sources: from }) };
  });
  await verify(ctx, made.rendered);
  return made;
}
