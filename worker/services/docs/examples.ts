import { exampleMediaType, isExampleSource } from '../../../schema/api/example-sources.ts';
import { type Example, examplePictures, examples, servedFiles } from '../../../schema/api/examples.ts';
import type { Context } from '../../context.ts';
import { serveAsset } from '../files/asset.ts';
import type { BytesRequest } from '../files/serve-bytes.ts';
import { madeIn } from './made-in.ts';

/** The available examples. Those that need an engine that was missing during generation are left out. */
export async function examplesHere(context: Context): Promise<Example[]> {
  const made = await madeIn(context, 'examples');
  return examples.filter(({ file }) => made?.has(file));
}

/** Names of the pictures that were made: posters of examples, and the picture for other sites. */
export const picturesHere = async (context: Context): Promise<ReadonlySet<string>> =>
  (await madeIn(context, 'example-pictures')) ?? new Set();

/** Names of the clips of transitions that were made. */
export const previewsHere = async (context: Context): Promise<ReadonlySet<string>> =>
  (await madeIn(context, 'transitions')) ?? new Set();

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
