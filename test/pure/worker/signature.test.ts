import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { presentedSignature, signatureHeaders } from '../../../schema/api/signature.ts';
import { signatureIsValid } from '../../fixtures/signature-is-valid.ts';

const secret = 'secret-of-at-least-thirty-two-characters';
const now = 1_800_000_000_000;
const good = await signatureHeaders(secret, 'evt_1', 'body', now);
const [, mac = ''] = good['webhook-signature']?.split(',') ?? [];
const reader = (headers: Record<string, string>) => (name: string) => headers[name];

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** HMACs computed while the work is done. */
async function hmacsOf(work: () => Promise<unknown>): Promise<number> {
  const spies = [vi.spyOn(crypto.subtle, 'sign'), vi.spyOn(crypto.subtle, 'verify')];
  await work();
  return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
}

describe('a signature', () => {
  it.each([1, 2, 4, 5, 100, 1900])('among %i parts costs at most one HMAC', async (count) => {
    const wrong = `v1,${'A'.repeat(43)}=`;
    const parts = [...Array<string>(count - 1).fill(wrong), `v1,${mac}`].join(' ');
    let valid: boolean | undefined;
    const hmacs = await hmacsOf(async () => {
      const headers = { ...good, 'webhook-signature': parts };
      valid = await signatureIsValid(secret, reader(headers), 'body', now);
    });
    expect(hmacs).toBe(count > 4 ? 0 : 1);
    expect(valid).toBe(count <= 4);
  });

  it('of 1,900 parts over 1 MiB takes no more CPU time than one of one part', async () => {
    const body = 'x'.repeat(1024 * 1024);
    const cpuOf = async (count: number) => {
      const headers = {
        ...good,
        'webhook-signature': Array(count)
          .fill(`v1,${'A'.repeat(43)}=`)
          .join(' '),
      };
      const before = process.cpuUsage();
      for (let run = 0; run < 40; run++) await signatureIsValid(secret, reader(headers), body, now);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    // In turn, and the cheapest of each: whatever else this process does only adds.
    const one: number[] = [];
    const many: number[] = [];
    for (let round = 0; round < 4; round++) {
      one.push(await cpuOf(1));
      many.push(await cpuOf(1900));
    }
    expect(Math.min(...many)).toBeLessThanOrEqual(1.5 * Math.min(...one));
  });

  it.each([
    ['no id', { 'webhook-id': '' }],
    ['a long id', { 'webhook-id': 'e'.repeat(129) }],
    ['an id with a space', { 'webhook-id': 'a b' }],
    ['an id beyond ASCII', { 'webhook-id': 'évt' }],
    ['no time', { 'webhook-timestamp': '' }],
    ['a time with a sign', { 'webhook-timestamp': '+1800000000' }],
    ['a time with a fraction', { 'webhook-timestamp': '1800000000.5' }],
    ['an endless time', { 'webhook-timestamp': '9'.repeat(100_000) }],
    ['an old time', { 'webhook-timestamp': String(now / 1000 - 301) }],
    ['a future time', { 'webhook-timestamp': String(now / 1000 + 301) }],
    ['no signature', { 'webhook-signature': '' }],
    ['five signatures', { 'webhook-signature': Array(5).fill(`v1,${mac}`).join(' ') }],
    ['a megabyte of signature', { 'webhook-signature': 'v1,'.repeat(350_000) }],
    ['another version', { 'webhook-signature': `v2,${mac}` }],
    ['a short signature', { 'webhook-signature': `v1,${mac.slice(0, -2)}=` }],
    ['a long signature', { 'webhook-signature': `v1,A${mac}` }],
    ['a signature that is not base64', { 'webhook-signature': `v1,${'%'.repeat(43)}=` }],
    ['a signature in hex', { 'webhook-signature': `v1,${'a'.repeat(64)}` }],
  ])('with %s is refused without the body and without an HMAC', async (_, wrong) => {
    const headers = { ...good, ...wrong };
    const hmacs = await hmacsOf(async () => {
      expect(presentedSignature(reader(headers), now)).toBeNull();
      expect(await signatureIsValid(secret, reader(headers), 'body', now)).toBe(false);
    });
    expect(hmacs).toBe(0);
  });

  it('is judged as the library of Standard Webhooks judges it', async () => {
    vi.useFakeTimers({ now, toFake: ['Date'] });
    const library = new Webhook(secret, { format: 'raw' });
    const accepts = (body: string, headers: Record<string, string>) => {
      try {
        library.verify(body, headers, { jsonParse: false });
        return true;
      } catch {
        return false;
      }
    };
    const text = fc.string({ maxLength: 40 });
    const id = fc.stringMatching(/^[\x21-\x7e]{1,40}$/);
    const age = fc.oneof(fc.integer({ min: -310, max: 310 }), fc.constantFrom(-301, -300, 300, 301));
    const part = fc.oneof(
      fc.constant('good'),
      fc
        .uint8Array({ minLength: 32, maxLength: 32 })
        .map((bytes) => `v1,${Buffer.from(bytes).toString('base64')}`),
      fc.constantFrom('v2,zz', 'v1,', 'v1', ',', '', 'v1a,AAAA', 'V1,AAAA'),
    );
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          body: text,
          id,
          age,
          parts: fc.array(part, { minLength: 1, maxLength: 4 }),
          tampered: fc.boolean(),
        }),
        async ({ body, id, age, parts, tampered }) => {
          const signed = await signatureHeaders(secret, id, body, now - age * 1000);
          const own = signed['webhook-signature'] ?? '';
          const headers = {
            ...signed,
            'webhook-signature': parts.map((one) => (one === 'good' ? own : one)).join(' '),
          };
          const seen = tampered ? `${body}!` : body;
          const ours = await signatureIsValid(secret, reader(headers), seen, now);
          if (ours) accepted += 1;
          expect(ours).toBe(accepts(seen, headers));
        },
      ),
      { numRuns: 500 },
    );
    expect(accepted).toBeGreaterThan(50);
  });
});
