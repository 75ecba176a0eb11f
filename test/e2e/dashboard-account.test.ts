import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Browser as Chromium, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../browser/player.ts';
import { type Service, startService } from '../harness.ts';
import { mailTo, secretsIn } from '../worker/pages/browser.ts';
import { rows } from '../worker/pages/rows.ts';

let service: Service;
let browser: Chromium;
let origin: string;
const complaints: string[] = [];

beforeAll(async () => {
  if (!chromiumPath) return;
  service = await startService(async (url) => {
    origin = `http://localhost:${url.port}`;
    return { TRANSCODER_URL: 'http://127.0.0.1:9', MAIL: 'outbox', SIGN_UP: 'trial', PUBLIC_URL: origin };
  });
  browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

async function open(options: Parameters<Chromium['newContext']>[0] = {}): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  page.on('console', (message) => {
    // A page that refuses a form has the status 422, which Chromium reports.
    const isRefusal = message.text().includes('status of 422');
    if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return page;
}

/** @returns the path of the account of somebody who has just signed up */
async function signUp(page: Page, email: string): Promise<string> {
  await page.goto(`${origin}/app`);
  await page.getByLabel('Your email address').fill(email);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
  const { code } = secretsIn(await mailTo(service, email));
  await page.getByLabel('Six-digit code').fill(code);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Sign out').waitFor();
  const [membership] = await rows<{ account_id: string }>(
    service,
    'select account_id from members where person_id = (select id from people where email = ?)',
    email,
  );
  return `/app/${membership?.account_id}`;
}

/** Usage on many days, an endpoint, and deliveries of both ends. */
async function fillAccount(account: string): Promise<string> {
  const id = account.replace('/app/', '');
  const now = Date.now();
  for (let days = 0; days < 30; days++) {
    const day = new Date(now - days * 24 * 3600_000).toISOString().slice(0, 10);
    for (const [operation, count] of [
      ['cut', (days * 7) % 11],
      ['silence_process', (days * 5) % 4],
    ]) {
      await rows(
        service,
        'insert into usage_days values (?, ?, ?, ?, 1, 5400, 60, 30, 2000000000, 1500000)',
        ...[id, day, operation, count],
      );
    }
  }
  await rows(
    service,
    "insert into webhook_endpoints (id, account_id, url, created_at) values (?, ?, 'https://hooks.example.com/a/rather/long/path/of/an/endpoint/for/spool', ?)",
    ...[`whe_${crypto.randomUUID()}`, id, now],
  );
  const delivery = `whd_${id.slice(5)}`;
  await rows(
    service,
    `insert into webhook_deliveries (id, account_id, event_id, type, url, status, attempts, step, last_attempt_at,
      last_status_code, last_error, created_at)
      values (?, ?, 'evt_1', 'webhook.test', 'https://hooks.example.com/a/rather/long/path', 'failed', 8, 8, ?, 500, 'http_error', ?)`,
    ...[delivery, id, now, now],
  );
  return delivery;
}

const overflows = (page: Page) =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');

describe.skipIf(!chromiumPath)('an owner with a browser (needs Chromium)', () => {
  it('adds an endpoint, gets the secret, looks at usage, exports and deletes the account, also without script', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await open({ javaScriptEnabled, acceptDownloads: true });
      const email = `whole-${javaScriptEnabled}@example.com`;
      const account = await signUp(page, email);
      await page.goto(`${origin}${account}/webhooks`);
      await page.getByLabel('URL').first().fill('http://hooks.example.com/');
      await page.getByRole('button', { name: 'Add the endpoint' }).click();
      await page.getByRole('alert').waitFor();
      await page.getByLabel('URL').first().fill('https://hooks.example.com/');
      await page.getByRole('button', { name: 'Add the endpoint' }).click();
      await page.getByRole('button', { name: 'Remove https://hooks.example.com/' }).waitFor();
      await page.getByRole('button', { name: 'Create the secret' }).click();
      await page.getByText('whsec_').waitFor();
      await page.getByRole('link', { name: 'I have copied it' }).click();

      await fillAccount(account);
      await page.getByRole('link', { name: 'Usage' }).click();
      await page.getByLabel('Figure').selectOption('bytes_read');
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await page.getByRole('img', { name: /Read by day/ }).waitFor();
      const csv = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download CSV' }).click();
      expect((await csv).suggestedFilename()).toMatch(/^usage-.*\.csv$/);

      await page.getByRole('link', { name: 'Members' }).click();
      const json = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download the data of the account' }).click();
      const { usage } = JSON.parse(readFileSync(await (await json).path(), 'utf8')) as { usage: unknown[] };
      expect(usage).toHaveLength(60);
      await page.getByRole('link', { name: 'delete the account' }).click();
      await page.getByLabel(`Type ${email} to confirm`).fill('something else');
      await page.getByRole('button', { name: 'Delete the account' }).click();
      await page.getByText('Nothing was deleted').waitFor();
      await page.getByLabel(`Type ${email} to confirm`).fill(email);
      await page.getByRole('button', { name: 'Delete the account' }).click();
      await page.getByRole('button', { name: 'Create an account of your own' }).waitFor();

      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('link', { name: 'delete yourself' }).click();
      await page.getByLabel(`Type ${email} to confirm`).fill(email);
      await page.getByRole('button', { name: 'Delete me' }).click();
      await page.getByLabel('Your email address').waitFor();
      expect(await rows(service, 'select id from people where email = ?', email)).toEqual([]);
      await page.context().close();
    }
  });

  it.each(['light', 'dark'] as const)(
    'sees these pages whole at 360 px and on a desktop, %s',
    async (colorScheme) => {
      const page = await open({ colorScheme });
      const account = await signUp(page, `looks-${colorScheme}@example.com`);
      const delivery = await fillAccount(account);
      const bytes: Record<string, number> = {};
      for (const [name, path] of [
        ['usage', `${account}/usage`],
        ['webhooks', `${account}/webhooks`],
        ['deliveries', `${account}/webhooks/deliveries`],
        ['delivery', `${account}/webhooks/deliveries/${delivery}`],
        ['connect', `${account}/connect`],
        ['delete-account', `${account}/delete`],
        ['delete-person', '/app/settings/delete'],
      ] as const) {
        for (const width of [360, 1280]) {
          await page.setViewportSize({ width, height: 800 });
          await page.goto(`${origin}${path}`);
          await page.waitForLoadState('load');
          expect([name, width, await overflows(page)]).toEqual([name, width, false]);
          const shots = process.env.SCREENSHOTS;
          if (shots)
            await page.screenshot({
              path: join(shots, `${name}-${width}-${colorScheme}.png`),
              fullPage: true,
            });
        }
        const assets = await page.evaluate<string[]>(
          "[...document.querySelectorAll('script[src], link[rel=stylesheet]')].map((one) => one.src || one.href)",
        );
        const texts = await Promise.all(assets.map(async (url) => (await fetch(url)).text()));
        bytes[name] = texts.reduce((sum, text) => sum + gzipSync(text).length, 0);
        expect(bytes[name], `script and style of ${name}, gzip`).toBeLessThan(15_000);
      }
      console.log('script and style, bytes gzip:', bytes);
    },
  );

  it('sees no error in the console', () => {
    expect(complaints).toEqual([]);
  });
});
