import { z } from 'zod';
import type { Context } from '../../context.ts';

/** Names of the bundled files of a tool, as scripts/assets/tools.ts records them. */
const toolFiles = z.object({ worker: z.string(), script: z.string(), style: z.string() });

export type ToolFiles = z.infer<typeof toolFiles>;

const asset = ({ assets, config }: Context, tool: string, name: string) =>
  assets.fetch(`${config.PUBLIC_URL}/tools/${tool}/${name}`);

/** @returns null if this installation has not bundled the tool */
export async function toolFilesHere(context: Context, tool: string): Promise<ToolFiles | null> {
  const made = await asset(context, tool, 'made.json');
  return made.status === 200 ? toolFiles.parse(await made.json()) : null;
}

/** A file of a tool. @returns null if there is none of that name */
export async function toolFile(context: Context, tool: string, name: string): Promise<Response | null> {
  const found = await asset(context, tool, name);
  return found.status === 200 ? found : null;
}
