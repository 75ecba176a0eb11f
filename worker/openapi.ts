import packageJson from '../package.json' with { type: 'json' };
import type { App } from './app.ts';

/** The OpenAPI 3.1 document of every route that was declared. */
export function openApiDocument(app: App, publicUrl: string) {
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Spool',
      version: packageJson.version,
      description: packageJson.description,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: publicUrl }],
  });
  return {
    ...document,
    components: {
      ...document.components,
      securitySchemes: {
        ApiKey: {
          type: 'apiKey' as const,
          in: 'header' as const,
          name: 'X-API-Key',
          description: 'The key of your account; `Authorization: Bearer <key>` works too.',
        },
      },
    },
  };
}
