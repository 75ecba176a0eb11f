import { deriveSecret, hmac } from '../../schema/signature.ts';
import type { Config } from '../env.ts';

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

async function signature(config: Config, taskId: string, role: string, expires: number): Promise<string> {
  const secret = await downloadSecret(config);
  return base64url(await hmac(secret, `${taskId}.${role}.${expires}`));
}

const secrets = new WeakMap<Config, Promise<string>>();

function downloadSecret(config: Config): Promise<string> {
  const known = secrets.get(config);
  if (known) return known;
  const secret = deriveSecret(config.SIGNING_SECRET, 'download');
  secrets.set(config, secret);
  return secret;
}

/** A link to one file of one task that needs no key until it expires (epoch ms, rounded down to seconds). */
export async function signedLink(
  config: Config,
  taskId: string,
  role: string,
  expiresAt: number,
): Promise<string> {
  const expires = Math.floor(expiresAt / 1000);
  const query = new URLSearchParams({
    file: role,
    expires: String(expires),
    signature: await signature(config, taskId, role, expires),
  });
  return `${config.PUBLIC_URL}/task/${taskId}/download?${query}`;
}

/** Whether a link was signed by us for this task and file; its time is another question. */
export async function linkIsSigned(
  config: Config,
  link: { taskId: string; role: string; expires: number; signature: string },
): Promise<boolean> {
  const expected = await signature(config, link.taskId, link.role, link.expires);
  if (expected.length !== link.signature.length) return false;
  let difference = 0;
  for (let index = 0; index < expected.length; index++) {
    difference |= expected.charCodeAt(index) ^ link.signature.charCodeAt(index);
  }
  return difference === 0;
}
