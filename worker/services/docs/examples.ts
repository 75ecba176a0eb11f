import { z } from 'zod';
import {
  type Example,
  exampleFiles,
  exampleMediaType,
  examples,
  isExampleSource,
} from '../../../schema/api/examples.ts';
import type { Context } from '../../context.ts';
import { serveAsset } from '../files/asset.ts';
import type { BytesRequest } from '../files/serve-bytes.ts';

/** The generated files by name, as scripts/assets/missing.ts records them. */
const record = z.record(z.string(), z.string());

/** The available examples. Those that need an engine that was missing during generation are left out. */
export async function examplesHere({ assets, config }: Context): Promise<Example[]> {
  const response = await assets.fetch(`${config.PUBLIC_URL}/examples/made.json`);
  const made = response.status === 200 ? record.parse(await response.json()) : {};
  return examples.filter(({ file }) => Object.hasOwn(made, file));
}

/** Whether there are clips of the transitions. */
export async function previewsHere({ assets, config }: Context): Promise<boolean> {
  return (await assets.fetch(`${config.PUBLIC_URL}/transitions/made.json`)).status === 200;
}

/**
 * The media of an example, or a source of examples.
 * @throws Problem not_found, range_not_satisfiable
 */
export function example(context: Context, file: string, request: BytesRequest): Promise<Response> {
  const folder = isExampleSource(file) ? 'example-sources' : 'examples';
  const asset = exampleFiles.includes(file)
    ? { path: `/${folder}/${file}`, mediaType: exampleMediaType(file) }
    : null;
  return serveAsset(context, asset, 'GET /capabilities lists the examples and the address of each.', request);
}
