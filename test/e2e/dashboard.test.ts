import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../browser/player.ts';
import { type Service, startService } from '../harness.ts';
import { sampled } from '../sampled.ts';
import { askForMail, type Chromium, overflows, signUp, startChromium } from './chromium.ts';

let service: Service;
let browser: Chromium;
let origin: string;

beforeAll(async () => {
  if (!chromiumPath) return;
  service = await startService(async (url) => {
    origin = `http://localhost:${url.port}`;
    return { TRANSCODER_URL: 'http://127.0.0.1:9', MAIL: 'outbox', SIGN_UP: 'trial', PUBLIC_URL: origin };
  });
  browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

/** Signs up, and opens the page of keys. */
async function signUpForKeys(page: Page, email: string): Promise<void> {
  await signUp(page, service, origin, email);
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
}

/** Clicks the button of a form twice. @returns how often the form was sent */
async function sentByDoubleClick(page: Page, action: string): Promise<() => number> {
  let sent = 0;
  await page.route(`**${action}`, async (route) => {
    sent++;
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  // Scripts run after the texts of a page are there.
  await page.waitForLoadState();
  const button = `document.querySelector('form[action$="${action}"] button')`;
  await page.evaluate(`${button}.click(), setTimeout(() => ${button}.click(), 150)`);
  return () => sent;
}

describe.skipIf(!chromiumPath)('a person with a browser (needs Chromium)', () => {
  it('signs up by code, makes a key, and calls the API with it, also without script', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await browser.open({ javaScriptEnabled });
      await signUpForKeys(page, `code-${javaScriptEnabled}@example.com`);
      await page.getByLabel('Label').fill('Laptop');
      await page.getByRole('button', { name: 'Create the key' }).click();
      const key = (await page.locator('pre code').first().textContent()) ?? '';
      const answer = await service.request('/account', { key });
      expect(await answer.json()).toMatchObject({ plan: 'basic', subscription: 'active' });
      await page.getByRole('link', { name: 'I have copied it' }).click();
      await page.getByRole('button', { name: 'Revoke Laptop' }).click();
      await page.getByText('Keys that no longer work (1)').waitFor();
      expect((await service.request('/account', { key })).status).toBe(401);
      await browser.leave(page);
    }
  });

  it('makes no other key, and no other secret, by reloading the page that shows one', async () => {
    const page = await browser.open();
    await signUpForKeys(page, 'reload@example.com');
    await page.getByLabel('Label').fill('Laptop');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByRole('heading', { name: 'Your new key' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Revoke Laptop' }).count()).toBe(1);
    await page.goto(page.url().replace(/keys$/, 'webhooks'));
    await page.getByRole('button', { name: 'Create the secret' }).click();
    await page.getByText('whsec_').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    const sent = await sentByDoubleClick(page, '/secret/rotate');
    await page.getByText('whsec_').waitFor();
    expect(sent()).toBe(1);
    await browser.leave(page);
  });

  it('makes one key on Home by a double click, and no other by reloading', async () => {
    const page = await browser.open();
    await signUp(page, service, origin, 'home@example.com');
    const sent = await sentByDoubleClick(page, '/home/key');
    await page.getByText('spool_live_').first().waitFor();
    await page.waitForURL(/\/home$/);
    expect(sent()).toBe(1);
    await page.reload();
    await page.getByRole('button', { name: 'Create a key' }).waitFor();
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Revoke First key' }).count()).toBe(1);
    await browser.leave(page);
  });

  it('signs in by link, in another browser than the one that asked, with one click', async () => {
    const { link } = await askForMail(await browser.open(), service, origin, 'link@example.com');
    const other = await browser.open();
    await other.goto(link);
    await other.getByText('link@example.com').waitFor();
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('heading', { name: 'Now' }).waitFor();
    const [cookie] = await other.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  });

  it('adds a passkey, and signs in with it', async () => {
    const page = await browser.open();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
        ...{ isUserVerified: true, automaticPresenceSimulation: true },
      },
    });
    await signUpForKeys(page, 'passkey@example.com');
    await page.goto(`${origin}/app/settings`);
    await page.getByLabel('Name of the new passkey').fill('Laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Remove Laptop' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('heading', { name: 'Now' }).waitFor();
    await page.getByText('passkey@example.com').first().waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.addInitScript('delete window.PublicKeyCredential');
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('This browser cannot use passkeys here.').waitFor();
    await page.getByRole('link', { name: 'Sign in by mail' }).waitFor();
  });

  it.each(sampled(['light', 'dark'] as const, 2, 1))(
    'sees every page whole at a width of 360 px, %s',
    async (colorScheme) => {
      const page = await browser.open({ viewport: { width: 360, height: 740 }, colorScheme });
      const look = async (name: string) => {
        await page.waitForLoadState('load');
        expect([name, await overflows(page)]).toEqual([name, false]);
      };
      await page.goto(`${origin}/app/sign-in`);
      await look('sign-in');
      await askForMail(page, service, origin, `a-rather-long-address-${colorScheme}@mail.example.com`);
      await look('code');
      await signUpForKeys(page, `narrow-${colorScheme}@example.com`);
      await page.getByLabel('Label').fill('A key with a long label for the production server');
      await page.getByRole('button', { name: 'Create the key' }).click();
      await look('made');
      await page.getByRole('link', { name: 'I have copied it' }).click();
      await look('keys');
      const { pathname } = new URL(page.url());
      for (const [name, path] of [
        ['members', pathname.replace('keys', 'members')],
        ['log', pathname.replace('keys', 'log')],
        ['settings', '/app/settings'],
        ['accounts', '/app/accounts'],
        ['prove', '/app/prove'],
        ['outbox', '/app/outbox'],
      ] as const) {
        await page.goto(`${origin}${path}`);
        await look(name);
      }
    },
  );

  it('sees no error in the console, and no page asks for what its policy refuses', () => {
    expect(browser.complaints).toEqual([]);
  });
});
