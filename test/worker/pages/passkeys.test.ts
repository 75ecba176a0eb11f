import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../harness.ts';
import { Authenticator } from './authenticator.ts';
import { Browser, mailTo, secretsIn, signIn } from './browser.ts';
import { askOften, rows } from './rows.ts';

let service: Service;
let origin: string;

beforeAll(async () => {
  service = await startService(async (url) => {
    // Passkeys belong to a name, never to a number.
    origin = `http://localhost:${url.port}`;
    return { TRANSCODER_URL: 'http://127.0.0.1:9', MAIL: 'outbox', PUBLIC_URL: origin };
  });
});
afterAll(() => service.close());

const newBrowser = () => new Browser(service, origin);

/** The challenge in the page that asks the browser for a passkey. */
function challengeIn(text: string): string {
  const [, json = ''] = /data-passkey-(?:get|create)="([^"]*)"/.exec(text) ?? [];
  return (JSON.parse(json.replaceAll('&quot;', '"')) as { challenge: string }).challenge;
}

async function register(browser: Browser, passkey = new Authenticator(), label = 'Laptop') {
  await browser.open('/app/settings');
  await browser.submit('/app/settings/passkeys/ask', { label });
  const answer = passkey.create(challengeIn(browser.text), origin);
  const at = await browser.submit('/app/settings/passkeys', { label, answer });
  return { passkey, at, answer };
}

/** Asks to sign in with a passkey. @returns the challenge */
async function ask(browser: Browser): Promise<string> {
  await browser.open('/app/sign-in');
  await browser.submit('/app/sign-in/passkey/ask');
  return challengeIn(browser.text);
}

let people = 0;
async function withPasskey() {
  const email = `passkey-${++people}@example.com`;
  const browser = newBrowser();
  await signIn(service, browser, email);
  return { email, browser, ...(await register(browser)) };
}

describe('a passkey', () => {
  it('is added, listed, signs in, and signs in no longer once it is removed', async () => {
    const { email, browser, passkey, at } = await withPasskey();
    expect(at).toEqual({ status: 200, path: '/app/settings' });
    expect(browser.text).toContain('<strong>Laptop</strong>');
    const other = newBrowser();
    const challenge = await ask(other);
    expect(
      (await other.submit('/app/sign-in/passkey', { answer: passkey.get(challenge, origin) })).status,
    ).toBe(200);
    await other.open('/app/settings');
    expect(other.text).toContain(`You sign in as ${email}`);
    expect(other.text).toContain(', last used');
    const [remove = ''] = /\/app\/settings\/passkeys\/[\w-]+\/remove/.exec(other.text) ?? [];
    await other.submit(remove);
    const third = newBrowser();
    const again = await ask(third);
    expect((await third.submit('/app/sign-in/passkey', { answer: passkey.get(again, origin) })).status).toBe(
      403,
    );
  });

  it('signs a challenge once, of the browser that it was given to', async () => {
    const { passkey } = await withPasskey();
    const [one, thief] = [newBrowser(), newBrowser()];
    const challenge = await ask(one);
    await ask(thief);
    const answer = passkey.get(challenge, origin);
    expect((await thief.submit('/app/sign-in/passkey', { answer })).status).toBe(403);
    await one.open('/app/sign-in');
    expect((await one.submit('/app/sign-in/passkey', { answer })).status, 'the thief has used it up').toBe(
      403,
    );
    const next = await ask(one);
    const good = passkey.get(next, origin);
    const visitor = new Map(one.cookies);
    const token = one.formToken;
    expect((await one.post('/app/sign-in/passkey', { answer: good })).status).toBe(303);
    const replay = newBrowser();
    for (const [name, value] of visitor) replay.cookies.set(name, value);
    expect((await replay.post('/app/sign-in/passkey', { answer: good, form_token: token })).status).toBe(403);
  });

  it('counts for this site only, verified, and signed by its own key', async () => {
    const { passkey } = await withPasskey();
    const browser = newBrowser();
    const attempt = async (make: (challenge: string) => string) => {
      const challenge = await ask(browser);
      return (await browser.submit('/app/sign-in/passkey', { answer: make(challenge) })).status;
    };
    const forged = new Authenticator();
    Object.defineProperty(forged, 'id', { value: passkey.id });
    forged.counter = 100;
    expect([
      await attempt((challenge) => passkey.get(challenge, 'https://evil.example', { domain: 'localhost' })),
      await attempt((challenge) => passkey.get(challenge, origin, { domain: 'evil.example' })),
      await attempt((challenge) => passkey.get(challenge, origin, { verified: false })),
      await attempt((challenge) => forged.get(challenge, origin)),
      await attempt(() => passkey.get('a-challenge-of-somebody-else', origin)),
      await attempt(() => 'null'),
      await attempt(() => '{"id":1}'),
      await attempt(() => ''),
    ]).toEqual(Array(8).fill(403));
    expect(await attempt((challenge) => passkey.get(challenge, origin))).toBe(200);
  });

  it('that goes backwards is a copy, and refused', async () => {
    const { passkey } = await withPasskey();
    const browser = newBrowser();
    passkey.counter = 10;
    await browser.submit('/app/sign-in/passkey', { answer: passkey.get(await ask(browser), origin) });
    const copy = newBrowser();
    passkey.counter = 3;
    expect(
      (await copy.submit('/app/sign-in/passkey', { answer: passkey.get(await ask(copy), origin) })).status,
    ).toBe(403);
  });

  it('is not added twice, nor to somebody else, nor by an answer to another challenge', async () => {
    const { browser, passkey, answer } = await withPasskey();
    expect((await register(browser, passkey)).at.status).toBe(422);
    const other = newBrowser();
    await signIn(service, other, 'other-passkey@example.com');
    expect((await register(other, passkey)).at.status).toBe(422);
    await other.open('/app/settings');
    await other.submit('/app/settings/passkeys/ask', { label: 'x' });
    expect((await other.submit('/app/settings/passkeys', { label: 'x', answer })).status).toBe(422);
  });

  it('proves the identity of its own person only', async () => {
    const [one, two] = [await withPasskey(), await withPasskey()];
    await rows(service, 'update sessions set proven_at = 1');
    const prove = async (passkey: Authenticator) => {
      await one.browser.open('/app/prove');
      await one.browser.submit('/app/prove/passkey/ask', { next: '/app/settings' });
      const answer = passkey.get(challengeIn(one.browser.text), origin);
      return one.browser.submit('/app/prove/passkey', { answer, next: '/app/settings' });
    };
    expect((await prove(two.passkey)).status).toBe(403);
    await one.browser.open('/app/settings');
    expect(one.browser.text).toContain('confirm that it is you');
    expect(await prove(one.passkey)).toEqual({ status: 200, path: '/app/settings' });
    expect(one.browser.text).not.toContain('confirm that it is you');
  });
});

describe('the page that asks for a passkey', () => {
  /** The link of the page that leads to a mail in place of a passkey. */
  const otherWay = (browser: Browser) => {
    const [, path = ''] = /<a href="(\/app\/(?:sign-in|prove)[^"]*)">/.exec(browser.text) ?? [];
    return browser.open(path.replaceAll('&amp;', '&'));
  };

  it('leads to a code by mail that goes on to the same page: to sign in', async () => {
    const { email } = await withPasskey();
    const browser = newBrowser();
    await browser.open('/app/sign-in?next=%2Fapp%2Fsettings');
    await browser.submit('/app/sign-in/passkey/ask', browser.hidden('/app/sign-in/passkey/ask'));
    expect((await otherWay(browser)).path).toBe('/app/sign-in?next=%2Fapp%2Fsettings');
    await browser.submit('/app/sign-in', {
      ...browser.hidden('/app/sign-in'),
      email: 'misspelt@example.com',
    });
    expect((await otherWay(browser)).path).toBe('/app/sign-in?next=%2Fapp%2Fsettings');
    await browser.submit('/app/sign-in', { ...browser.hidden('/app/sign-in'), email });
    const { code } = secretsIn(await mailTo(service, email));
    expect((await browser.submit('/app/sign-in/code', { code })).path).toBe('/app/settings');
  });

  it('leads to a code by mail that goes on to the same page: to confirm who it is', async () => {
    const { browser } = await withPasskey();
    await browser.open('/app/prove?next=%2Fapp%2Fsettings');
    await browser.submit('/app/prove/passkey/ask', browser.hidden('/app/prove/passkey/ask'));
    expect(await otherWay(browser)).toEqual({ status: 200, path: '/app/prove?next=%2Fapp%2Fsettings' });
    expect(browser.hidden('/app/prove/send')).toEqual({ next: '/app/settings' });
  });
});

describe('a client that has asked too often', () => {
  it('is asked to wait where it wants to use a passkey, or to add one', async () => {
    const { browser } = await withPasskey();
    const other = newBrowser();
    await ask(other);
    const forget = await askOften(service);
    await browser.open('/app/settings');
    expect((await browser.submit('/app/settings/passkeys/ask', { label: 'x' })).status).toBe(429);
    await other.open('/app/sign-in');
    expect((await other.submit('/app/sign-in/passkey/ask')).status).toBe(429);
    expect(other.text).toContain('Wait an hour');
    await forget();
    await other.open('/app/sign-in');
    expect((await other.submit('/app/sign-in/passkey/ask')).status).toBe(200);
  });
});
