import type { App } from '../app.ts';
import { openApiDocument } from '../openapi.ts';

export function docsRoutes(app: App): void {
  app.get('/openapi.json', (c) => c.json(openApiDocument(app, c.get('context').config.PUBLIC_URL)));
}
