import { deriveSecret, hmac, sameText } from '../../../schema/api/signature.ts';
import { taskId } from '../../../schema/task/task.ts';
import { storedFile } from '../../../schema/task/wire.ts';
import type { Config } from '../../env.ts';
import { oncePer } from '../../lib/once-per.ts';
import { toBase64url } from '../../lib/text/base64url.ts';

async function signature(config: Config, task: string, role: string, expires: number): Promise<string> {
  const secret = await downloadSecret(config);
  return toBase64url(await hmac(secret, `${task}.${role}.${expires}`));
}

const downloadSecret = oncePer((config: Config) => deriveSecret(config.SIGNING_SECRET, 'download'));

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

/** Base64url of 32 bytes. */
const SIGNATURE = /^[\w-]{43}$/;

/** Whether we signed a link for this task and file; does not check its expiry. */
export async function linkIsSigned(
  config: Config,
  link: { taskId: string; role: string; expires: number; signature: string },
): Promise<boolean> {
  const possible =
    taskId.safeParse(link.taskId).success &&
    storedFile.shape.role.safeParse(link.role).success &&
    SIGNATURE.test(link.signature);
  if (!possible) return false;
  return sameText(await signature(config, link.taskId, link.role, link.expires), link.signature);
}
