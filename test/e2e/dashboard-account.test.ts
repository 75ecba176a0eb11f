import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../browser/player.ts';
import { type Service, startService } from '../harness.ts';
import { sampled } from '../sampled.ts';
import { rows } from '../worker/pages/rows.ts';
import { type Chromium, overflows, signUp, startChromium } from './chromium.ts';

let service: Service;
let browser: Chromium;
let origin: string;

beforeAll(async () => {
  if (!chromiumPath) return;
  service = await startService(async (url) => {
    origin = `http://localhost:${url.port}`;
    return { TRANSCODER_URL: 'http://127.0.0.1:9', MAIL: 'outbox', SIGN_UP: 'trial', PUBLIC_URL: origin };
  });
  browser = await startChromium((message) =>
    // A page that refuses a form has the status 422, which Chromium reports.
    message.text().includes('status of 422'),
  );
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

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

describe.skipIf(!chromiumPath)('an owner with a browser (needs Chromium)', () => {
  it('adds an endpoint, gets the secret, looks at usage, exports and deletes the account, also without script', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await browser.open({ javaScriptEnabled, acceptDownloads: true });
      const email = `whole-${javaScriptEnabled}@example.com`;
      const account = await signUp(page, service, origin, email);
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
      const topOf = async (name: string) =>
        (await page.getByRole('button', { name, exact: true }).boundingBox())?.y;
      expect(await topOf('Show')).toBe(await topOf('Download CSV'));
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
      await page.getByRole('link', { name: 'delete your profile' }).click();
      await page.getByLabel(`Type ${email} to confirm`).fill(email);
      await page.getByRole('button', { name: 'Delete my profile' }).click();
      await page.getByLabel('Your email address').waitFor();
      expect(await rows(service, 'select id from people where email = ?', email)).toEqual([]);
      await browser.leave(page);
    }
  });

  it.each(sampled(['light', 'dark'] as const, 2, 0))(
    'sees these pages whole at 360 px and on a desktop, %s',
    async (colorScheme) => {
      const page = await browser.open({ colorScheme });
      const account = await signUp(page, service, origin, `looks-${colorScheme}@example.com`);
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
    expect(browser.complaints).toEqual([]);
  });
});
