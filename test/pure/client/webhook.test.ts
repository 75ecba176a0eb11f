import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signWebhook, verifyWebhook, WebhookVerificationError } from '../../../client/src/index.ts';
import { hmacKey, signatureHeaders } from '../../../schema/api/signature.ts';
import { completedEvent } from '../../../worker/http/docs/example-event.ts';

const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
const other = `whsec_${Buffer.from('fedcba9876543210fedcba9876543210').toString('base64')}`;
const event = completedEvent();
const body = JSON.stringify(event);
const keyOf = (text: string) => hmacKey(new Uint8Array(Buffer.from(text.replace('whsec_', ''), 'base64')));

describe('a webhook', () => {
  it('that the service has signed is verified, from a Request and from headers and body', async () => {
    const headers = await signatureHeaders([await keyOf(secret)], event.id, body);
    const request = new Request('https://example.com', { method: 'POST', headers, body });
    expect(await verifyWebhook(request, secret)).toEqual(event);
    expect(await verifyWebhook({ headers, body }, [other, secret])).toEqual(event);
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    expect(await verifyWebhook({ headers: upper, body: Buffer.from(body) }, secret)).toEqual(event);
  });

  it('that the client has signed is verified by the library of Standard Webhooks', async () => {
    const headers = await signWebhook(event.id, body, secret);
    expect(new Webhook(secret).verify(body, headers)).toEqual(event);
  });

  it('with another secret, another body, an old time or no signature is refused', async () => {
    const headers = await signWebhook(event.id, body, secret);
    const old = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 400) };
    const cases: [Record<string, string>, string, string][] = [
      [headers, body, other],
      [headers, body.replace('completed', 'failed'), secret],
      [old, body, secret],
      [{}, body, secret],
      [{ ...headers, 'webhook-timestamp': 'soon' }, body, secret],
      [{ ...headers, 'webhook-signature': 'v1,???' }, body, secret],
      [
        { ...headers, 'webhook-signature': (headers['webhook-signature'] ?? '').replace('v1', 'v2') },
        body,
        secret,
      ],
    ];
    for (const [given, text, key] of cases)
      await expect(verifyWebhook({ headers: given, body: text }, key)).rejects.toThrow(
        WebhookVerificationError,
      );
  });
});
