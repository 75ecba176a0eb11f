import { judgeUrl } from '../../../guard/url.ts';
import { type ExampleSource, exampleSourceNames } from '../../../schema/api/example-sources.ts';
import { examplesAt } from '../../../schema/api/examples.ts';
import type { Context } from '../../context.ts';
import { guardRules } from '../../lib/guard-rules.ts';
import { madeIn } from './made-in.ts';
import { type Samples, sampleFiles } from './stand-ins.ts';

const KEY = 'samples/sample.mp4';

/** Whether tasks can read files of this service. A deployed one may not read from itself, a local one may. */
export const readsItself = ({ config }: Context): boolean =>
  judgeUrl(`${config.PUBLIC_URL}/${KEY}`, guardRules(config)).allowed;

/** A video that tasks can read without one of the caller's own; null if there is none. */
export async function sampleSource(context: Context): Promise<string | null> {
  const { config, files } = context;
  if (config.SAMPLE_URL !== '') return config.SAMPLE_URL;
  return readsItself(context) && (await files.size(KEY)) ? `${config.PUBLIC_URL}/${KEY}` : null;
}

/** The sources of the examples that were made and that tasks can read. */
export async function readableSources(context: Context): Promise<ExampleSource[]> {
  if (!readsItself(context)) return [];
  const made = await madeIn(context, 'example-sources');
  return exampleSourceNames.filter((file) => made?.has(file));
}

/** Every sample that tasks can read. */
export async function samplesHere(context: Context): Promise<Samples> {
  const [video, readable] = await Promise.all([sampleSource(context), readableSources(context)]);
  const at = Object.entries(sampleFiles)
    .filter(([, file]) => readable.includes(file))
    .map(([kind, file]) => [kind, `${examplesAt(context.config.PUBLIC_URL)}/${file}`]);
  return { ...Object.fromEntries(at), ...(video === null ? {} : { video }) };
}
