import { Stripe } from 'stripe';
import { describe, expect, it } from 'vitest';
import { isSignedByStripe, presentedStripeSignature } from '../../../../worker/lib/stripe-signature.ts';
import { signatureOf } from '../../../stripe/events.ts';

const SECRET = 'whsec_0123456789abcdef0123456789abcdef';
const NOW = 1_800_000_000_000;
const BODY = '{"id":"evt_1","object":"event","note":"ünïcode \\u2028 stays as it is"}\n';

async function accepts(header: string | undefined, { body = BODY, secret = SECRET, now = NOW } = {}) {
  const presented = presentedStripeSignature(header, now);
  return presented !== null && isSignedByStripe(secret, presented, body);
}

describe('a signature of Stripe', () => {
  it('is accepted as the library of Stripe makes it, and as the stand-in does', async () => {
    const timestamp = NOW / 1000;
    const header = Stripe.webhooks.generateTestHeaderString({ payload: BODY, secret: SECRET, timestamp });
    expect(await accepts(header)).toBe(true);
    expect(signatureOf(SECRET, BODY, NOW)).toBe(header);
  });

  it('is refused for another body, by a byte, and for another secret', async () => {
    const header = signatureOf(SECRET, BODY, NOW);
    expect(await accepts(header, { body: BODY.trim() })).toBe(false);
    expect(await accepts(header, { body: JSON.stringify(JSON.parse(BODY)) })).toBe(false);
    expect(await accepts(header, { secret: `${SECRET}0` })).toBe(false);
    expect(await accepts(signatureOf('whsec_another_0123456789abcdef', BODY, NOW))).toBe(false);
  });

  it('is refused when it is more than 5 minutes old or early', async () => {
    const header = signatureOf(SECRET, BODY, NOW);
    for (const [seconds, expected] of [
      [300, true],
      [301, false],
      [-300, true],
      [-301, false],
    ] as const) {
      expect([seconds, await accepts(header, { now: NOW + seconds * 1000 })]).toEqual([seconds, expected]);
    }
  });

  it('may be one of two, while the secret is being rotated', async () => {
    const own = signatureOf(SECRET, BODY, NOW);
    const other = signatureOf('whsec_the_one_before_0123456789', BODY, NOW).split(',v1=')[1];
    expect(await accepts(`${own},v1=${other},v0=${'0'.repeat(64)}`)).toBe(true);
    expect(await accepts(own.replace('v1=', `v1=${other},v1=`))).toBe(true);
  });

  it.each([
    undefined,
    '',
    't=1800000000',
    'v1=',
    `v1=${'0'.repeat(64)}`,
    `t=,v1=${'0'.repeat(64)}`,
    `t=1800000000,v0=${'0'.repeat(64)}`,
    `t=1800000000,v1=${'0'.repeat(63)}`,
    `t=1800000000,t=1800000000,v1=${'0'.repeat(64)}`,
    `t=1800000000,v1=${'0'.repeat(64)}`,
    `t=1800000000,${`v1=${'0'.repeat(64)},`.repeat(20)}`,
  ])('is not %j', async (header) => {
    expect(await accepts(header)).toBe(false);
  });

  it('counts for its own time only', async () => {
    const moved = signatureOf(SECRET, BODY, NOW - 3600_000).replace(/t=\d+/, `t=${NOW / 1000}`);
    expect(await accepts(moved)).toBe(false);
  });
});
