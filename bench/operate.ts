import type { OperationName } from '../schema/operations/index.ts';
import { operateOnFiles } from '../scripts/lib/operate-on-files.ts';
import { probeCapabilities } from '../transcoder/ffmpeg/capabilities.ts';
import { jsonLog } from '../transcoder/log.ts';
import type { MediaContext } from '../transcoder/media/execute/media-context.ts';
import type { Rendered } from '../transcoder/media/execute/rendered.ts';
import { LibavPool } from '../transcoder/media/libav/pool.ts';
import { programs } from './footage.ts';

/** The media part of the service with one libav process. Throws if there is no libav. */
export async function startMedia(): Promise<MediaContext & { libav: LibavPool }> {
  const libav = await LibavPool.start(jsonLog(), 1);
  if (!libav) throw new Error('the media libav is not available');
  const capabilities = await probeCapabilities(programs);
  return { programs, capabilities, libav, engines: null, log: jsonLog({}, () => {}) };
}

/** Runs a task on local files, part of which must be copied. Throws if nothing was copied. @param directory For the files. */
export async function spliced(
  media: MediaContext,
  name: OperationName,
  paths: readonly string[],
  request: Record<string, unknown>,
  directory: string,
): Promise<Rendered> {
  const { plan, rendered } = await operateOnFiles(media, name, paths, request, directory);
  if (rendered.data.copied_seconds === 0)
    throw new Error(`everything was rendered: ${plan.rendered_because}`);
  return rendered;
}
