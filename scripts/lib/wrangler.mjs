import { join } from 'node:path';
import { root } from './paths.mjs';

/** @typedef {import('./paths.mjs').Instance} Instance */

/** Names from wrangler.toml. */
export const database = 'spool';
export const bucket = 'spool-files';

/** The keys of the local bucket's S3 endpoint, as in wrangler.toml. */
export const localStorage = { accessKeyId: 'spool-local', secretAccessKey: 'spool-local-secret' };

/**
 * Environment in which wrangler asks no questions and sends no data.
 * @param {Instance} instance
 * @returns {NodeJS.ProcessEnv}
 */
export function wranglerEnv(instance) {
  return {
    ...process.env,
    CI: 'true',
    FORCE_COLOR: '0',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: 'false',
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_LOG_PATH: join(instance.logs, 'wrangler.log'),
    WRANGLER_REGISTRY_PATH: join(instance.dir, 'registry'),
  };
}

/** @param {readonly string[]} args */
export function wranglerCommand(args) {
  return [join(root, 'node_modules/wrangler/bin/wrangler.js'), ...args];
}
