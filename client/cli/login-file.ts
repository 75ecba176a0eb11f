import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Spool } from '../src/index.ts';
import { MissingKeyError, UsageError } from './exit-codes.ts';
import { readText } from './read-text.ts';

interface Login {
  url: string;
  key: string;
}

/** Where `npm start` runs the service. */
const LOCAL_URL = 'http://127.0.0.1:8787';

export function loginPath(): string {
  const home = process.env.XDG_CONFIG_HOME || process.env.APPDATA || join(homedir(), '.config');
  return join(home, 'spool', 'login.json');
}

export function readLogin(): Login | null {
  try {
    return JSON.parse(readText(loginPath())) as Login;
  } catch {
    return null;
  }
}

/** Only the owner of the file can read the key. */
export function writeLogin(login: Login): string {
  const path = loginPath();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 });
  // The mode above is that of a new file only.
  chmodSync(path, 0o600);
  return path;
}

export const removeLogin = () => rmSync(loginPath(), { force: true });

/** The address of the service: a flag, the environment, the login, this machine. */
export function addressOf(flag?: string): string {
  return (flag ?? (process.env.SPOOL_URL || (readLogin()?.url ?? LOCAL_URL))).replace(/\/+$/, '');
}

/** The same. @throws UsageError if requests cannot be sent to it */
export function serviceAddress(flag?: string): string {
  const address = addressOf(flag);
  if (/^https?:\/\/[^/]/i.test(address) && URL.canParse(address)) return address;
  const from = flag === undefined ? 'SPOOL_URL' : '--url';
  const near = /^[\w.-]+(?::\d{1,5})?$/.test(address) ? addressNear(address) : null;
  throw new UsageError(
    `${from} must be an http:// or https:// address; it is "${address}".${near === null ? '' : ` Did you mean ${near}?`}`,
  );
}

const addressNear = (host: string) =>
  /^(?:localhost|127\.0\.0\.1)\b/.test(host) ? `http://${host}` : `https://${host}`;

/** @throws MissingKeyError, or UsageError if no service can be at the address */
export function connect(flag?: string): Spool {
  const baseUrl = serviceAddress(flag);
  const login = readLogin();
  // A key is sent only to the service that it was given for.
  const apiKey = process.env.SPOOL_API_KEY || (login?.url === baseUrl ? login.key : undefined);
  if (!apiKey)
    throw new MissingKeyError(
      `There is no key for ${baseUrl}.`,
      'Run `spool login`, or set SPOOL_API_KEY and SPOOL_URL.',
    );
  return new Spool({ baseUrl, apiKey });
}
