import { z } from 'zod';
import { exampleMediaType, isExampleSource } from '../../../schema/api/example-sources.ts';
import { type Example, examplePictures, examples, servedFiles } from '../../../schema/api/examples.ts';
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

/** Names of the pictures that were made: posters of examples, and the picture for other sites. */
export async function picturesHere({ assets, config }: Context): Promise<ReadonlySet<string>> {
  const response = await assets.fetch(`${config.PUBLIC_URL}/example-pictures/made.json`);
  return new Set(response.status === 200 ? Object.keys(record.parse(await response.json())) : []);
}

/** Whether there are clips of the transitions. */
export async function previewsHere({ assets, config }: Context): Promise<boolean> {
  return (await assets.fetch(`${config.PUBLIC_URL}/transitions/made.json`)).status === 200;
}

function folderOf(file: string): string {
  if (isExampleSource(file)) return 'example-sources';
  return examplePictures.includes(file) ? 'example-pictures' : 'examples';
}

/**
 * The media of an example, a source of examples, or a picture of one.
 * @throws Problem not_found, range_not_satisfiable
 */
export function example(context: Context, file: string, request: BytesRequest): Promise<Response> {
  const asset = servedFiles.includes(file)
    ? { path: `/${folderOf(file)}/${file}`, mediaType: exampleMediaType(file) }
    : null;
  return serveAsset(context, asset, 'GET /capabilities lists the examples and the address of each.', request);
}
