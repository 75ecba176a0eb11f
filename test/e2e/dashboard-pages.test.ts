import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../browser/player.ts';
import { type Chromium, emptied, overflows, startChromium, violations } from './chromium.ts';
import { everyPage, type Stand, startEveryPage, titleOf } from './every-page.ts';

let stand: Stand;
let browser: Chromium;
/** One page for all tests: a process that has not run axe before takes twice as long for it. */
let page: Page;
let withoutScript: Page;

beforeAll(async () => {
  if (!chromiumPath) return;
  stand = await startEveryPage();
  browser = await startChromium();
  page = await browser.open();
  withoutScript = await browser.open({ javaScriptEnabled: false, viewport: { width: 360, height: 800 } });
});
afterAll(async () => {
  await browser?.close();
  await stand?.close();
});

/** What a person without script can do with the page: its heading, and the forms that they cannot send. */
const SEEN = `({
  heading: document.querySelector('h1')?.textContent ?? '',
  stuck: [...document.querySelectorAll('form:not([data-passkey-get], [data-passkey-create])')]
    .filter((form) => ![...form.querySelectorAll('button')].some((button) => button.type === 'submit' && !button.disabled && button.offsetWidth > 0))
    .map((form) => form.outerHTML.slice(0, 200)),
})`;

describe.skipIf(!chromiumPath)('every page (needs Chromium)', () => {
  it.each(everyPage.map((route) => [titleOf(route), route] as const))(
    '%s: nothing for axe, light and dark, on a phone and a desktop; nothing in the console',
    async (_, route) => {
      // The page that GitHub leads to would go on by itself.
      if (route.path.endsWith('/github'))
        await page.addInitScript('HTMLFormElement.prototype.submit = () => {}');
      for (const { path, cookies } of stand.visits(route)) {
        await page.context().addCookies(cookies);
        const response = await page.goto(stand.origin + path);
        expect([path, response?.status()]).toEqual([path, 200]);
        await page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true");
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          for (const width of [360, 1280]) {
            await page.setViewportSize({ width, height: 800 });
            const at = [path, colorScheme, width];
            expect([...at, await overflows(page)]).toEqual([...at, false]);
            expect([...at, await violations(page)]).toEqual([...at, []]);
          }
        }
      }
      await emptied(page);
      expect(browser.complaints.splice(0)).toEqual([]);
    },
  );

  it.each(everyPage.map((route) => [titleOf(route), route] as const))(
    '%s: can be read and used without script',
    async (_, route) => {
      for (const { path, cookies } of stand.visits(route)) {
        await withoutScript.context().addCookies(cookies);
        const response = await withoutScript.goto(stand.origin + path);
        expect([path, response?.status()]).toEqual([path, 200]);
        const { heading, stuck } = await withoutScript.evaluate<{ heading: string; stuck: string[] }>(SEEN);
        expect([path, heading, stuck]).toEqual([path, expect.stringMatching(/\w/), []]);
        expect([path, await overflows(withoutScript)]).toEqual([path, false]);
      }
      await emptied(withoutScript);
    },
  );
});
