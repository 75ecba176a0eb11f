import { join } from 'node:path';
import { exampleSourceNames, exampleSources } from '../../schema/api/example-sources.ts';
import { type Example, examples } from '../../schema/api/examples.ts';
import type { OperationName } from '../../schema/operations/index.ts';
import type { Programs } from '../../transcoder/ffmpeg/run.ts';
import type { Capabilities } from '../../transcoder/model/capabilities.ts';
import { folderOf, makeMissing, type Outcome, recipeOf } from '../assets/missing.ts';
import { Machine } from './machine.ts';
import { makePictures } from './pictures.ts';
import { makeSource } from './sources.ts';

const sourcesFolder = folderOf('example-sources');
const examplesFolder = folderOf('examples');
const HOST = 'https://media.example.com';

/** Inputs of the sources. */
const drawnBy = ['scripts/assets/paint.ts', 'scripts/examples/{sources,town,music}.ts'];

/** Inputs of the examples of an operation, in addition to its source and request. */
const madeBy: Partial<Record<OperationName, string[]>> = {
  captions_auto: ['transcoder/operations/{plan/,}captions/*.ts', 'schema/media/caption-presets.ts'],
  redub_tts: ['transcoder/operations/redub/*.ts', 'transcoder/engines/speech/programs.ts'],
  redub_vc: [
    'transcoder/operations/redub/*.ts',
    'transcoder/media/voice/*.ts',
    'schema/media/voice-presets.ts',
  ],
  separate: ['transcoder/operations/separate/*.ts', 'transcoder/engines/hosts/center-mask.ts'],
  visualize: ['transcoder/operations/visualize/*.ts', 'transcoder/media/visual/**/*.ts'],
  photo_animate: ['transcoder/operations/photo/*.ts'],
  crop: ['transcoder/operations/crop/crop.ts'],
  merge_urls: ['transcoder/operations/merge/*.ts', 'transcoder/operations/plan/{transitions,joints/*}.ts'],
  cut: ['transcoder/operations/cut/*.ts'],
};

/** Creates the sources of the examples, then the examples, each as a task would create it. */
export async function makeExamples(programs: Programs, capabilities: Capabilities): Promise<Outcome> {
  const machine = new Machine(programs, capabilities);
  const drawn = await recipeOf(drawnBy, capabilities.version);
  const recipe = async ({ operation, request }: Example) =>
    recipeOf(madeBy[operation] ?? [], drawn, JSON.stringify(request(HOST)));
  try {
    const wanted = exampleSourceNames.map((file) => ({
      ...{ file, recipe: drawn },
      make: async (directory: string) => {
        await machine.demand(exampleSources[file]);
        return makeSource[file](programs, directory);
      },
    }));
    const results = examples.map(async (example) => ({
      ...{ file: example.file, recipe: await recipe(example) },
      make: async (directory: string) => {
        const { operation, request, sources, needs } = example;
        await machine.demand(needs);
        const paths = sources.map((source) => join(sourcesFolder, source));
        return machine.operate(operation, request(HOST), paths, directory);
      },
    }));
    const first = await makeMissing(sourcesFolder, wanted);
    const then = await makeMissing(examplesFolder, await Promise.all(results));
    const last = await makePictures(machine, drawn, recipe);
    const outcomes = [first, then, last];
    return {
      made: outcomes.reduce((sum, { made }) => sum + made, 0),
      left: outcomes.flatMap(({ left }) => left),
    };
  } finally {
    await machine.close();
  }
}
