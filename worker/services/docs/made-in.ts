import { z } from 'zod';
import type { Context } from '../../context.ts';

const record = z.record(z.string(), z.string());

/** Names of the generated files of a folder, as scripts/assets/missing.ts records them; null where the folder is not made yet. */
export async function madeIn(
  { assets, config }: Context,
  folder: string,
): Promise<ReadonlySet<string> | null> {
  const response = await assets.fetch(`${config.PUBLIC_URL}/${folder}/made.json`);
  return response.status === 200 ? new Set(Object.keys(record.parse(await response.json()))) : null;
}
