import type { ExampleSource } from '../../../schema/api/example-sources.ts';
import { examplesAt } from '../../../schema/api/examples.ts';
import { engineIds } from '../../../schema/media/engines.ts';
import { operations } from '../../../schema/operations/index.ts';
import type { App } from '../../app-env.ts';
import type { Context } from '../../context.ts';
import { examplesHere, picturesHere } from '../../services/docs/examples.ts';
import { readableSources, sampleSource } from '../../services/docs/sample-source.ts';
import { engineNow } from '../../services/tasks/engine-now.ts';
import { openApiDocument } from '../openapi.ts';
import { wholeSchemas } from './component-schemas.ts';
import { endpoints } from './endpoints.ts';
import type { Site } from './pages/doc-page.ts';

const files = {
  speaker: 'talk.mp4',
  speech: 'speech.m4a',
  song: 'song.m4a',
  music: 'music.m4a',
  photo: 'photo.jpg',
} as const satisfies Record<string, ExampleSource>;

/** How long an isolate keeps what it printed: engines come and go, and examples are made after the start. */
const KEPT_MS = 60_000;

const kept = new WeakMap<Context, { until: number; site: Promise<Site> }>();

/** What the documentation says about this service. */
export function siteOf(app: App, context: Context): Promise<Site> {
  const known = kept.get(context);
  if (known && known.until > Date.now()) return known.site;
  const site = readSite(app, context);
  kept.set(context, { until: Date.now() + KEPT_MS, site });
  site.catch(() => kept.delete(context));
  return site;
}

async function readSite(app: App, context: Context): Promise<Site> {
  const url = context.config.PUBLIC_URL;
  const [video, readable, examples, pictures, state] = await Promise.all([
    sampleSource(context),
    readableSources(context),
    examplesHere(context),
    picturesHere(context),
    context.transcoder.state(),
  ]);
  const at = Object.entries(files)
    .filter(([, file]) => readable.includes(file))
    .map(([kind, file]) => [kind, `${examplesAt(url)}/${file}`]);
  const said = state?.said ?? null;
  const engines = engineIds.flatMap((id) => {
    const { available } = engineNow(context, said, id);
    return available === null ? [] : [[id, available]];
  });
  return {
    url,
    schemas: wholeSchemas(),
    endpoints: endpoints(openApiDocument(app, url)).filter(({ id }) => !(id in operations)),
    samples: { ...Object.fromEntries(at), ...(video === null ? {} : { video }) },
    madeExamples: new Set(examples.map(({ file }) => file)),
    madePictures: pictures,
    engines: Object.fromEntries(engines),
  };
}
