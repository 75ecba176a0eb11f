/**
 * Signed messages after Standard Webhooks (https://github.com/standard-webhooks/standard-webhooks): headers `webhook-id`,
 * `webhook-timestamp` (Unix seconds) and `webhook-signature: v1,<base64 HMAC-SHA-256 of id.timestamp.body>`.
 */
export const SIGNATURE_TOLERANCE_SECONDS = 300;

const encoder = new TextEncoder();

/** Every runtime has the type under another name. */
export type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** A key for HMAC-SHA-256, of a text or of bytes; importing it once spares the repeated use of one secret. */
export async function hmacKey(secret: string | Uint8Array<ArrayBuffer>) {
  const bytes = typeof secret === 'string' ? encoder.encode(secret) : secret;
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

/** HMAC-SHA-256 of a text, 32 bytes. */
export async function hmac(secret: string | HmacKey, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const key = typeof secret === 'string' ? await hmacKey(secret) : secret;
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
}

/** A secret for one purpose, derived from a master secret; lower-case hex, 64 characters. */
export async function deriveSecret(master: string, purpose: string): Promise<string> {
  const mac = await hmac(master, purpose);
  return Array.from(mac, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The three headers that sign this body, with one secret or, during a rotation, with several. */
export async function signatureHeaders(
  secrets: string | readonly HmacKey[],
  id: string,
  body: string,
  now: number = Date.now(),
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = (typeof secrets === 'string' ? [secrets] : secrets).map(async (secret) => {
    const mac = await hmac(secret, `${id}.${timestamp}.${body}`);
    return `v1,${btoa(String.fromCharCode(...mac))}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': (await Promise.all(signatures)).join(' '),
  };
}

/** Whether the headers sign this body with this secret, within five minutes. Compares in constant time. */
export async function signatureIsValid(
  secret: string,
  header: (name: string) => string | null | undefined,
  body: string,
  now: number = Date.now(),
): Promise<boolean> {
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  const signatures = header('webhook-signature');
  if (!id || !timestamp || !signatures || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now / 1000 - Number(timestamp)) > SIGNATURE_TOLERANCE_SECONDS) return false;
  const key = await hmacKey(secret);
  for (const part of signatures.split(' ')) {
    const [version, encoded] = part.split(',');
    if (version !== 'v1' || !encoded) continue;
    let mac: Uint8Array<ArrayBuffer>;
    try {
      mac = Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0));
    } catch {
      continue;
    }
    if (await crypto.subtle.verify('HMAC', key, mac, encoder.encode(`${id}.${timestamp}.${body}`)))
      return true;
  }
  return false;
}
