import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { devVarsFile } from './paths.mjs';

const names = /** @type {const} */ ([
  ...['KEY_PEPPER', 'SIGNING_SECRET', 'TRANSCODER_SECRET'],
  ...['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
]);

/**
 * How secrets of Stripe begin.
 * @type {Record<string, string>}
 */
const prefixes = { STRIPE_SECRET_KEY: 'sk_test_', STRIPE_WEBHOOK_SECRET: 'whsec_' };

/** @typedef {Record<typeof names[number], string>} Secrets */

/**
 * The local secrets in .dev.vars, where wrangler reads them; missing ones are created.
 * @returns {Secrets}
 */
export function localSecrets() {
  const text = existsSync(devVarsFile)
    ? readFileSync(devVarsFile, 'utf8')
    : '# Local secrets, made by npm start; never committed. .dev.vars.example says what each is for.\n';
  const found = parse(text);
  const made = names.filter((name) => !found[name]);
  if (made.length > 0) {
    for (const name of made) found[name] = (prefixes[name] ?? '') + randomBytes(32).toString('hex');
    const lines = made.map((name) => `${name}="${found[name]}"\n`).join('');
    writeFileSync(devVarsFile, text.replace(/[^\n]$/, '$&\n') + lines, { mode: 0o600 });
    chmodSync(devVarsFile, 0o600);
  }
  return /** @type {Secrets} */ (found);
}

/**
 * @param {string} text
 * @returns {Record<string, string>}
 */
function parse(text) {
  /** @type {Record<string, string>} */
  const values = {};
  for (const line of text.split('\n')) {
    const match = /^\s*([A-Z0-9_]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|(\S*))\s*$/.exec(line);
    if (match?.[1]) values[match[1]] = match[2] ?? match[3] ?? match[4] ?? '';
  }
  return values;
}
