import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transitionNames } from '../../schema/media/transitions.ts';
import type { Programs } from '../../transcoder/ffmpeg/run.ts';
import { jsonLog } from '../../transcoder/log.ts';
import { render } from '../../transcoder/media/execute/execute-plan.ts';
import type { MediaContext } from '../../transcoder/media/execute/media-context.ts';
import type { Capabilities } from '../../transcoder/model/capabilities.ts';
import { folderOf, makeMissing, type Outcome, recipeOf } from '../assets/missing.ts';
import { previewPlan } from './clip.ts';
import { type Letter, pictureOf } from './picture.ts';

/** The inputs of the previews. */
const recipe = [
  'scripts/assets/paint.ts',
  'scripts/previews/{picture,clip}.ts',
  'schema/media/transitions.ts',
  'transcoder/operations/plan/{transitions,joints/*}.ts',
  'transcoder/media/steps/luma-map.ts',
];

/** Creates missing and outdated previews of the transitions. */
export async function makePreviews(programs: Programs, capabilities: Capabilities): Promise<Outcome> {
  const log = jsonLog({}, () => {});
  const context: MediaContext = { programs, capabilities, libav: null, engines: null, log };
  const made = await recipeOf(recipe, capabilities.version);
  const drawn: Partial<Record<Letter, Buffer>> = {};
  const draw = async (directory: string, letter: Letter) => {
    const file = join(directory, `${letter}.ppm`);
    drawn[letter] ??= pictureOf(letter);
    await writeFile(file, drawn[letter]);
    return file;
  };
  const make = async (name: (typeof transitionNames)[number], directory: string) => {
    const pictures: [string, string] = [await draw(directory, 'A'), await draw(directory, 'B')];
    const plan = previewPlan(name, pictures, capabilities);
    return (await render(context, plan, { directory, sources: [] })).files[0].path;
  };
  return makeMissing(
    folderOf('transitions'),
    transitionNames.map((name) => ({
      ...{ file: `${name}.mp4`, recipe: made, make: (directory) => make(name, directory) },
    })),
  );
}
