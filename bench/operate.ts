import { type OperationName, operations } from '../schema/operations/index.ts';
import { probeCapabilities } from '../transcoder/ffmpeg/capabilities.ts';
import { jsonLog } from '../transcoder/log.ts';
import type { MediaContext } from '../transcoder/media/context.ts';
import { analyzeAndPlan, render, verify } from '../transcoder/media/operate.ts';
import { probeMedia } from '../transcoder/media/probe.ts';
import type { Rendered } from '../transcoder/media/rendered.ts';
import { Engine } from '../transcoder/media/worker/engine.ts';
import { completeSource } from '../transcoder/media-source.ts';
import { plannerOf } from '../transcoder/operations/index.ts';
import { programs } from './footage.ts';
import { generousLimits } from './measure.ts';

/** The media side of the service with one process of the engine. Throws where there is no engine. */
export async function startMedia(): Promise<MediaContext & { engine: Engine }> {
  const engine = await Engine.start(jsonLog(), 1);
  if (!engine) throw new Error('there is no engine to be measured here');
  const capabilities = await probeCapabilities(programs);
  return { programs, capabilities, engine, engines: null, log: jsonLog({}, () => {}) };
}

/** All that happens to a task between its download and its upload. Throws where nothing was copied. @param directory Takes the files. */
export async function spliced(
  media: MediaContext,
  name: OperationName,
  paths: readonly string[],
  request: Record<string, unknown>,
  directory: string,
): Promise<Rendered> {
  const input: Record<string, unknown> = operations[name].input.parse(request);
  const sources = await Promise.all(
    paths.map(async (path) => {
      const source = await completeSource({ path, format: 'mov' });
      return Object.assign(source, { probe: await probeMedia(media, source) });
    }),
  );
  const plan = await analyzeAndPlan(media, plannerOf(name), input, sources, {
    limits: generousLimits(),
    directory,
  });
  const rendered = await render(media, plan, { directory, sources });
  await verify(media, rendered);
  if (rendered.data.copied_seconds === 0) throw new Error(`all of it was rendered: ${plan.rendered_because}`);
  return rendered;
}
