import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundled } from './process/bundles.mjs';

/** Starts the transcoder: the bundle of main.ts if there is one, otherwise main.ts. */
await import(pathToFileURL(bundled(join(import.meta.dirname, 'main.ts'))).href);
