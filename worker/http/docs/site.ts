import { engineIds } from '../../../schema/media/engines.ts';
import { operations } from '../../../schema/operations/index.ts';
import type { App } from '../../app-env.ts';
import type { Context } from '../../context.ts';
import { KeptValues } from '../../lib/kept-values.ts';
import { oncePer } from '../../lib/once-per.ts';
import { examplesHere, picturesHere } from '../../services/docs/examples.ts';
import { samplesHere } from '../../services/docs/sample-source.ts';
import { engineNow } from '../../services/tasks/engine-now.ts';
import { openApiDocument } from '../openapi.ts';
import { wholeSchemas } from './component-schemas.ts';
import { endpoints } from './endpoints.ts';
import type { Site } from './pages/doc-page.ts';

/** How long an isolate keeps what it printed: engines come and go, and examples are made after the start. */
const KEPT_MS = 60_000;

const sites = oncePer((_: Context) => new KeptValues<'site', Site>());

/** What the documentation says about this service. */
export const siteOf = (app: App, context: Context): Promise<Site> =>
  sites(context).get('site', () => readSite(app, context), KEPT_MS);

async function readSite(app: App, context: Context): Promise<Site> {
  const url = context.config.PUBLIC_URL;
  const [samples, examples, pictures, state] = await Promise.all([
    samplesHere(context),
    examplesHere(context),
    picturesHere(context),
    context.transcoder.state(),
  ]);
  const said = state?.said ?? null;
  const engines = engineIds.flatMap((id) => {
    const { available } = engineNow(context, said, id);
    return available === null ? [] : [[id, available]];
  });
  return {
    url,
    schemas: wholeSchemas(),
    endpoints: endpoints(openApiDocument(app, url)).filter(({ id }) => !(id in operations)),
    samples,
    madeExamples: new Set(examples.map(({ file }) => file)),
    madePictures: pictures,
    engines: Object.fromEntries(engines),
  };
}
