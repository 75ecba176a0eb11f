import { WebhookVerificationError } from './errors.ts';
import type { WebhookEvent } from './printed/schemas.ts';

export interface SignedRequest {
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The body as it arrived. Parsing and printing it again changes it. */
  body: string | Uint8Array;
}

const SECRET_PREFIX = 'whsec_';

/**
 * Checks the signature of a webhook (Standard Webhooks) and returns its event.
 * @param secret from `spool.webhooks.secret()`; both during a rotation
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  request: Request | SignedRequest,
  secret: string | readonly string[],
  { toleranceSeconds = 300 }: { toleranceSeconds?: number } = {},
): Promise<WebhookEvent> {
  const body =
    request instanceof Request ? new Uint8Array(await request.arrayBuffer()) : bytesOf(request.body);
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(request.headers, name),
  );
  if (!id || !timestamp || !signatures)
    throw new WebhookVerificationError(
      'The request has no webhook-id, webhook-timestamp or webhook-signature.',
    );
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= toleranceSeconds))
    throw new WebhookVerificationError(
      'The webhook was signed too long ago: it may have been sent by someone else.',
    );
  const head = bytesOf(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  const given = signatures.split(' ').flatMap((part) => (part.startsWith('v1,') ? [part.slice(3)] : []));
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    const key = await keyOf(one);
    for (const signature of given) {
      const bytes = fromBase64(signature);
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, content)))
        return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
    }
  }
  throw new WebhookVerificationError('The signature does not fit the body and the secret.');
}

/** The headers of a webhook, as the service signs it; for tests and for `spool listen`. */
export async function signWebhook(id: string, body: string, secret: string): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signed = await crypto.subtle.sign('HMAC', await keyOf(secret), bytesOf(`${id}.${timestamp}.${body}`));
  const signature = btoa(String.fromCharCode(...new Uint8Array(signed)));
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

async function keyOf(secret: string) {
  const bytes = fromBase64(secret.replace(SECRET_PREFIX, ''));
  if (!bytes) throw new WebhookVerificationError(`A secret begins with ${SECRET_PREFIX}.`);
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

function headerOf(headers: SignedRequest['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(value) ? value[0] : value;
}

const bytesOf = (text: string | Uint8Array) =>
  new Uint8Array(typeof text === 'string' ? new TextEncoder().encode(text) : text);

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}
