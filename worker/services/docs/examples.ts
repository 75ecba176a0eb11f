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

/** What was made, by name, as scripts/assets/missing.ts writes it down. */
const record = z.record(z.string(), z.string());

/** The examples that are here: what needs an engine that was missing when they were made is not. */
export async function examplesHere({ assets, config }: Context): Promise<Example[]> {
  const response = await assets.fetch(`${config.PUBLIC_URL}/examples/made.json`);
  const made = response.status === 200 ? record.parse(await response.json()) : {};
  return examples.filter(({ file }) => Object.hasOwn(made, file));
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
