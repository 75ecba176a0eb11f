import { join } from 'node:path';
import { type Example, exampleSourceNames, exampleSources, examples } from '../../schema/api/examples.ts';
import type { OperationName } from '../../schema/operations/index.ts';
import type { Programs } from '../../transcoder/ffmpeg/run.ts';
import type { Capabilities } from '../../transcoder/model/capabilities.ts';
import { folderOf, makeMissing, type Outcome, recipeOf } from '../assets/missing.ts';
import { Machine } from './machine.ts';
import { makeSource } from './sources.ts';

const sourcesFolder = folderOf('example-sources');
const HOST = 'https://media.example.com';

/** Inputs of the sources. */
const drawnBy = ['scripts/assets/paint.ts', 'scripts/examples/{sources,town,music}.ts'];

/** Inputs of the examples of an operation, in addition to its source and request. */
const madeBy: Partial<Record<OperationName, string[]>> = {
  captions_auto: ['transcoder/operations/captions/*.ts', 'schema/media/caption-presets.ts'],
  redub_tts: ['transcoder/operations/redub/*.ts', 'transcoder/engines/speech/programs.ts'],
  redub_vc: [
    'transcoder/operations/redub/*.ts',
    'transcoder/media/voice/*.ts',
    'schema/media/voice-presets.ts',
  ],
  separate: ['transcoder/operations/separate/*.ts', 'transcoder/engines/hosts/centre-mask.ts'],
  visualize: ['transcoder/operations/visualize/*.ts', 'transcoder/media/visual/**/*.ts'],
  photo_animate: ['transcoder/operations/photo/*.ts'],
  crop: ['transcoder/operations/crop/crop.ts'],
};

/** Creates the sources of the examples, then the examples, each as a task would create it. */
export async function makeExamples(programs: Programs, capabilities: Capabilities): Promise<Outcome> {
  const machine = new Machine(programs, capabilities);
  const drawn = await recipeOf(drawnBy, capabilities.version);
  const recipe = async ({ operation, request }: Example) =>
    recipeOf(madeBy[operation] ?? [], drawn, JSON.stringify(request(HOST)));
  try {
    const sources = exampleSourceNames.map((file) => ({
      ...{ file, recipe: drawn },
      make: async (directory: string) => {
        await machine.demand(exampleSources[file]);
        return makeSource[file](programs, directory);
      },
    }));
    const results = examples.map(async (example) => ({
      ...{ file: example.file, recipe: await recipe(example) },
      make: async (directory: string) => {
        const { operation, request, source, needs } = example;
        await machine.demand(needs);
        return machine.operate(operation, request(HOST), join(sourcesFolder, source), directory);
      },
    }));
    const first = await makeMissing(sourcesFolder, sources);
    const then = await makeMissing(folderOf('examples'), await Promise.all(results));
    return { made: first.made + then.made, left: [...first.left, ...then.left] };
  } finally {
    await machine.close();
  }
}
