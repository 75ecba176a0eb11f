import { type HmacKey, hmacKey } from '../../../schema/api/signature.ts';
import { ROTATION_SECONDS, type WebhookSecret } from '../../../schema/api/webhook.ts';
import { fromBase64, toBase64 } from '../../../schema/bytes.ts';
import { iso, isoOrNull } from '../../../schema/time.ts';
import type { Context } from '../../context.ts';
import { confirmed } from '../../lib/outage.ts';
import { type Also, nothingElse } from '../../repos/also.ts';
import type { SecretRow } from '../../repos/webhook-secrets.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** How long another form for the same replaced secret is answered with the one that took its place. */
const SENT_AGAIN_MS = 10 * 60_000;

function newSecret(): string {
  return `${PREFIX}${toBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))}`;
}

/** The valid secrets of an account, newest first. The first secret is created on first use. */
async function validSecrets({ webhookSecrets, sealer }: Context, accountId: string, now: number) {
  const known = await webhookSecrets.valid(accountId, now);
  if (known.length > 0) return known;
  await webhookSecrets.addFirst(accountId, await sealer.seal(newSecret(), accountId), now);
  return webhookSecrets.valid(accountId, now);
}

async function shown({ sealer }: Context, [newest, previous]: SecretRow[]): Promise<WebhookSecret> {
  if (!newest) throw new Error('the account has no webhook secret');
  return {
    object: 'webhook_secret',
    secret: await sealer.open(newest.sealed, newest.accountId),
    created_at: iso(newest.createdAt),
    previous_valid_until: isoOrNull(previous?.expiresAt ?? null),
  };
}

export async function readWebhookSecret(context: Context, accountId: string): Promise<WebhookSecret> {
  return shown(context, await validSecrets(context, accountId, Date.now()));
}

/** Since when an account has had its secret, and until when the previous one is valid; null if it has none yet. */
export async function webhookSecretTimes(
  { webhookSecrets }: Context,
  accountId: string,
): Promise<{ createdAt: number; previousUntil: number | null } | null> {
  const [newest, previous] = await webhookSecrets.valid(accountId, Date.now());
  return newest ? { createdAt: newest.createdAt, previousUntil: previous?.expiresAt ?? null } : null;
}

/** Creates a new secret; the previous one stays valid for one more day. */
export async function rotateWebhookSecret(context: Context, accountId: string): Promise<WebhookSecret> {
  const { valid } = await replace(context, accountId, undefined, nothingElse);
  return shown(context, valid);
}

interface Rotated {
  secret: WebhookSecret;
  /** False: another form for the same replaced secret made it before. */
  isNew: boolean;
}

/**
 * The same for a form that shows which secret it replaces: sent twice, it makes one secret and gets it twice.
 * @param replaced When that secret was created; null if there was none; undefined if the form does not say it
 * @param also Written with the new secret
 * @returns `outdated` if the account has had another secret since
 */
export async function rotate(
  context: Context,
  accountId: string,
  replaced: number | null | undefined,
  also: Also,
): Promise<Rotated | 'outdated'> {
  const { isNew, valid } = await replace(context, accountId, replaced, also);
  if (!isNew && !isSentAgain(valid, replaced)) return 'outdated';
  return { secret: await shown(context, valid), isNew };
}

/** @returns the valid secrets, newest first, and whether the newest one was made here */
async function replace(
  { webhookSecrets, sealer }: Context,
  accountId: string,
  replaced: number | null | undefined,
  also: Also,
): Promise<{ isNew: boolean; valid: SecretRow[] }> {
  const now = Date.now();
  const sealed = await sealer.seal(newSecret(), accountId);
  const change = { now, overlapEnd: now + ROTATION_SECONDS * 1000, replaced };
  // A second rotation would end the secret that receivers still have.
  return confirmed(
    async () => {
      const isNew = await webhookSecrets.rotate(accountId, sealed, change, also);
      return { isNew, valid: await webhookSecrets.valid(accountId, now) };
    },
    async () => {
      const valid = await webhookSecrets.valid(accountId, now);
      return valid[0]?.sealed === sealed ? { isNew: true, valid } : null;
    },
  );
}

/** Whether a form for the same replaced secret has just made the newest one: this form, or one in another tab or of another member. */
const isSentAgain = ([newest, previous]: SecretRow[], replaced: number | null | undefined): boolean =>
  newest !== undefined &&
  newest.createdAt > Date.now() - SENT_AGAIN_MS &&
  (previous?.createdAt ?? null) === replaced;

/** The keys that sign deliveries of this account. */
export async function signingKeys(context: Context, accountId: string, now: number): Promise<HmacKey[]> {
  const rows = await validSecrets(context, accountId, now);
  return Promise.all(
    rows.map(async ({ sealed }) => {
      const secret = await context.sealer.open(sealed, accountId);
      return hmacKey(fromBase64(secret.slice(PREFIX.length)));
    }),
  );
}
