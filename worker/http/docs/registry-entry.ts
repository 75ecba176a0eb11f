import packageJson from '../../../package.json' with { type: 'json' };

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** The MCP server as registries describe one (`server.json`). Its name is the host read backwards, which proves who may publish it. */
export function registryEntry(publicUrl: string) {
  const { hostname } = new URL(publicUrl);
  return {
    $schema: SCHEMA,
    name: `${hostname.split('.').reverse().join('.')}/spool`,
    title: 'Spool',
    description: 'Cut, crop, convert, caption, dub and inspect video, audio and photos, exact to the frame.',
    version: packageJson.version,
    websiteUrl: publicUrl,
    remotes: [
      {
        type: 'streamable-http',
        url: `${publicUrl}/mcp`,
        headers: [
          {
            name: 'X-API-Key',
            description: `API key from the dashboard, ${publicUrl}/app`,
            isRequired: true,
            isSecret: true,
          },
        ],
      },
    ],
  };
}
