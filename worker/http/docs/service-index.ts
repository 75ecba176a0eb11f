import { z } from 'zod';
import packageJson from '../../../package.json' with { type: 'json' };
import { operationNames, operations } from '../../../schema/operations/index.ts';

export const serviceIndex = z
  .strictObject({
    name: z.literal('spool'),
    version: z.string(),
    links: z.record(z.string(), z.url()).meta({ description: 'URLs of the other documents, by name.' }),
    operations: z
      .record(z.enum(operationNames), z.url())
      .meta({ description: 'Where to POST each operation.' }),
  })
  .meta({ id: 'Index' });

const places = {
  openapi: '/openapi.json',
  docs: '/docs',
  examples: '/docs/examples',
  transitions: '/docs/transitions',
  errors: '/docs/errors',
  changelog: '/docs/changelog',
  llms: '/llms.txt',
  capabilities: '/capabilities',
  mcp: '/mcp',
  mcp_server: '/server.json',
  health: '/healthz',
};

/** `/` for programs. */
export function serviceIndexOf(publicUrl: string): z.output<typeof serviceIndex> {
  const links = Object.fromEntries(
    Object.entries(places).map(([name, path]) => [name, `${publicUrl}${path}`]),
  );
  const posts = operationNames.map((name) => [name, `${publicUrl}${operations[name].path}`]);
  return serviceIndex.parse({
    name: 'spool',
    version: packageJson.version,
    links,
    operations: Object.fromEntries(posts),
  });
}
