import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../browser/player.ts';
import { type Service, startService } from '../harness.ts';
import { sampled } from '../sampled.ts';
import { measured } from '../worker/records-at-scale.ts';
import { type Chromium, inEveryLook, overflows, startChromium, violations } from './chromium.ts';

/** Public pages. A new one is a line here. */
const pages: { path: string; status?: number }[] = [
  { path: '/status' },
  { path: '/docs/changelog' },
  { path: '/pricing' },
  { path: '/docs' },
  { path: '/docs/operations/redub-vc' },
  { path: '/docs/guides/vertical-short' },
  { path: '/docs/webhooks' },
  { path: '/docs/errors/source_damaged' },
  { path: '/docs/voices' },
  { path: '/tools' },
  { path: '/terms', status: 404 },
  { path: '/no-such-page', status: 404 },
];

/** Where to write a picture of each page. */
const SHOTS = process.env.SCREENSHOTS;

let service: Service;
let browser: Chromium;
beforeAll(async () => {
  if (!chromiumPath) return;
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9', STATUS_TASK_MINUTES: '5' });
  await fillStatus();
  browser = await startChromium((message) => message.text().includes('status of 404'));
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

/** A history with good, bad and empty days, and incidents, one of them open. */
async function fillStatus(): Promise<void> {
  const now = Date.now();
  await measured(service, {
    sql: `with recursive n(n) as (select 0 union all select n + 1 from n where n < 80)
      insert into status_days select date(?1 / 1000 - n * 86400, 'unixepoch'), value, 288,
        iif(n % 17 = 3, 4, iif(n % 29 = 5, 60, 0)), ?1 - n * 86400000, 1,
        iif(value = 'task', 180 + n * 13 % 70, null), iif(value = 'task', 420 + n * 37 % 300, null)
      from n, json_each('["database","storage","queue","transcoder","task"]') where n <> 40`,
    params: [now],
  });
  const updates = [
    { at: now - 7200_000, text: 'Tasks wait longer than usual. We are looking into it.' },
    {
      at: now - 3600_000,
      text: `A rather long word: ${'a'.repeat(90)}. Machines of one region do not start.`,
    },
  ];
  for (const [id, part, closed] of [
    ['inc_00000000000000000000000001', 'task', null],
    ['inc_00000000000000000000000002', null, now - 86_400_000],
  ])
    await measured(service, {
      sql: 'insert into incidents values (?, ?, ?, ?, ?, ?)',
      params: [id, 'Tasks wait longer than usual', part, now - 90_000_000, closed, JSON.stringify(updates)],
    });
}

describe.skipIf(!chromiumPath)('every public page (needs Chromium)', () => {
  it.each(sampled(pages, 3))(
    '$path: nothing for axe, light and dark, on a phone, a tablet and a desktop; nothing in the console',
    async ({ path, status = 200 }) => {
      const page = await browser.open();
      const response = await page.goto(service.url.origin + path);
      expect(response?.status()).toBe(status);
      await inEveryLook(page, async (colorScheme, width) => {
        const at = [path, colorScheme, width];
        expect([...at, await overflows(page)]).toEqual([...at, false]);
        if (SHOTS) {
          mkdirSync(SHOTS, { recursive: true });
          const name = `${path.slice(1).replaceAll('/', '-')}-${colorScheme}-${width}.png`;
          await page.screenshot({ path: join(SHOTS, name), fullPage: path !== '/docs/changelog' });
        }
        await page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true");
        expect([...at, await violations(page)]).toEqual([...at, []]);
        await page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = false");
      });
      await browser.leave(page);
      expect(browser.complaints.splice(0)).toEqual([]);
    },
  );

  it('blocks of code stand apart', async () => {
    const page = await browser.open();
    await page.goto(`${service.url.origin}/docs/operations/redub-vc`);
    const gaps = await page.evaluate<number[]>(`[...document.querySelectorAll('.ways, .code')]
      .filter((block) => block.nextElementSibling?.matches('.ways, .code'))
      .map((block) => block.nextElementSibling.getBoundingClientRect().top - block.getBoundingClientRect().bottom)`);
    expect(gaps.length).toBeGreaterThan(0);
    expect(Math.min(...gaps), 'px').toBeGreaterThanOrEqual(8);
    await browser.leave(page);
  });

  it.each(sampled(pages, 3, 1))('$path: can be read without script', async ({ path }) => {
    const page = await browser.open({ javaScriptEnabled: false, viewport: { width: 360, height: 800 } });
    await page.goto(service.url.origin + path);
    expect(await page.locator('h1').textContent()).toMatch(/\w/);
    expect(await overflows(page)).toBe(false);
    await browser.leave(page);
  });
});
