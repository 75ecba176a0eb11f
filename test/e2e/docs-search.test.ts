import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../browser/player.ts';
import makeAssets from '../fixtures/assets.ts';
import { startDocumentService } from '../golden/documents.ts';
import type { Service } from '../harness.ts';
import { type Chromium, startChromium, violations } from './chromium.ts';

let service: Service;
let browser: Chromium;
let origin: string;

beforeAll(async () => {
  if (!chromiumPath) return;
  await makeAssets();
  service = await startDocumentService();
  origin = service.url.origin;
  browser = await startChromium((message) => message.text().includes('status of 404'));
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const shown = '.search .hits li b';

describe.skipIf(!chromiumPath)('the search (needs Chromium)', () => {
  it('opens at /, finds while one types, goes on without network, and leads to the section', async () => {
    const page = await browser.open();
    await page.goto(`${origin}/docs`);
    await page.keyboard.press('/');
    const field = page.getByRole('searchbox');
    await field.fill('webhook signature');
    await page.locator(shown, { hasText: 'Verify a webhook' }).first().waitFor();
    expect(await violations(page)).toEqual([]);

    await page.context().setOffline(true);
    await field.fill('rotate the secret');
    await page.locator(shown, { hasText: 'Webhooks' }).first().waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('dialog.search').isVisible()).toBe(false);

    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Search' }).click();
    await field.fill('crop to 9:16');
    await page.locator(shown, { hasText: 'Crop' }).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Crop', exact: true }).waitFor();
    await browser.leave(page);
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  it('says that nothing was found, and what to do when the index does not come', async () => {
    const page = await browser.open();
    await page.route('**/search.json', (route) => route.abort());
    await page.goto(`${origin}/docs`);
    await page.keyboard.press('/');
    await page.getByText('The search could not be loaded').waitFor();
    await page.unroute('**/search.json');
    const arrive = Promise.withResolvers<void>();
    await page.route('**/search.json', (route) => arrive.promise.then(() => route.continue()));
    await page.getByRole('searchbox').fill('webhook');
    await page.getByText('Loading the search…').waitFor();
    arrive.resolve();
    await page.getByText(/^\d+ results$/).waitFor();
    await page.getByRole('searchbox').fill('xqzzwv');
    await page.getByText('Nothing found.').waitFor();
    await browser.leave(page);
    browser.complaints.splice(0);
  });

  it('looks for the words of an address at which there is nothing', async () => {
    const page = await browser.open();
    await page.goto(`${origin}/docs/merge-videos`);
    await page.locator(shown, { hasText: 'Merge' }).first().waitFor();
    await browser.leave(page);
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  it('is a link to all pages where the script does not run', async () => {
    const page = await browser.open({ javaScriptEnabled: false });
    await page.goto(`${origin}/docs/tasks`);
    await page.getByRole('link', { name: 'Search' }).click();
    expect(new URL(page.url()).pathname).toBe('/docs');
    await browser.leave(page);
  });

  it('leads from an anchor of the former single page to the page that has it now', async () => {
    const page = await browser.open();
    await page.goto(`${origin}/docs#redub-tts`);
    await page.waitForURL('**/docs/operations/redub-tts');
    await browser.leave(page);
    expect(browser.complaints.splice(0)).toEqual([]);
  });
});
