import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { transitionNames } from '../../schema/transitions.ts';
import { probeCapabilities } from '../../transcoder/ffmpeg/capabilities.ts';
import type { Programs } from '../../transcoder/ffmpeg/run.ts';
import { jsonLog } from '../../transcoder/log.ts';
import type { MediaContext } from '../../transcoder/media/context.ts';
import { render } from '../../transcoder/media/operate.ts';
import { root } from '../lib/paths.mjs';
import { previewPlan } from './clip.ts';
import { pictureOf } from './picture.ts';

/** Served by the Worker as static assets. */
export const previews = join(root, 'web/assets/transitions');
const stampFile = join(root, '.spool/previews.stamp');

/** What the pictures and the way they change depend on. */
const recipe = [
  'scripts/previews/picture.ts',
  'scripts/previews/clip.ts',
  'schema/transitions.ts',
  'transcoder/operations/transitions.ts',
  'transcoder/media/maps.ts',
];

/**
 * Makes a preview of every transition, unless they are there and would be made the same again.
 * @returns Whether they were made now.
 */
export async function makePreviews(programs: Programs): Promise<boolean> {
  const context: MediaContext = {
    programs,
    capabilities: await probeCapabilities(programs),
    engine: null,
    engines: null,
    log: jsonLog({}, () => {}),
  };
  const stamp = await stampOf(context);
  if (await present(stamp)) return false;
  await mkdir(join(root, '.spool'), { recursive: true, mode: 0o700 });
  const directory = await mkdtemp(join(root, '.spool/previews-'));
  try {
    const made = join(directory, 'made');
    await mkdir(made);
    const pictures: [string, string] = [join(directory, 'a.ppm'), join(directory, 'b.ppm')];
    await writeFile(pictures[0], pictureOf('A'));
    await writeFile(pictures[1], pictureOf('B'));
    const waiting = transitionNames.values();
    const work = async () => {
      for (const name of waiting) {
        const plan = previewPlan(name, pictures, context.capabilities);
        await render(context, plan, { directory, sources: [] });
        await rename(join(directory, `${name}.mp4`), join(made, `${name}.mp4`));
      }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, work));
    await rm(previews, { recursive: true, force: true });
    await rename(made, previews);
    await writeFile(stampFile, stamp);
    return true;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function stampOf({ capabilities }: MediaContext): Promise<string> {
  const hash = createHash('sha256').update(capabilities.version);
  for (const file of recipe) hash.update(await readFile(join(root, file)));
  return hash.digest('hex');
}

async function present(stamp: string): Promise<boolean> {
  const found = await readFile(stampFile, 'utf8').catch(() => null);
  const files: string[] = await readdir(previews).catch(() => []);
  return found === stamp && transitionNames.every((name) => files.includes(`${name}.mp4`));
}
