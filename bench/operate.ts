import type { OperationName } from '../schema/operations/index.ts';
import { operateOnFiles } from '../scripts/lib/operate-on-files.ts';
import { probeCapabilities } from '../transcoder/ffmpeg/capabilities.ts';
import { jsonLog } from '../transcoder/log.ts';
import type { MediaContext } from '../transcoder/media/execute/media-context.ts';
import type { Rendered } from '../transcoder/media/execute/rendered.ts';
import { Engine } from '../transcoder/media/libav/pool.ts';
import { programs } from './footage.ts';

/** The media side of the service with one process of the engine. Throws where there is no engine. */
export async function startMedia(): Promise<MediaContext & { engine: Engine }> {
  const engine = await Engine.start(jsonLog(), 1);
  if (!engine) throw new Error('there is no engine to be measured here');
  const capabilities = await probeCapabilities(programs);
  return { programs, capabilities, engine, engines: null, log: jsonLog({}, () => {}) };
}

/** Does a task on files, of which some is to be copied. Throws where nothing was. @param directory Takes the files. */
export async function spliced(
  media: MediaContext,
  name: OperationName,
  paths: readonly string[],
  request: Record<string, unknown>,
  directory: string,
): Promise<Rendered> {
  const { plan, rendered } = await operateOnFiles(media, name, paths, request, directory);
  if (rendered.data.copied_seconds === 0) throw new Error(`all of it was rendered: ${plan.rendered_because}`);
  return rendered;
}
