import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleSourceNames } from '../../schema/api/example-sources.ts';
import { examples, featuredOf } from '../../schema/api/examples.ts';
import { operationNames, operations } from '../../schema/operations/index.ts';
import { toolPath } from '../../worker/http/tools/tool-list.ts';
import { chromiumPath } from '../browser/player.ts';
import { type Service, startService } from '../harness.ts';
import { sampled } from '../sampled.ts';
import { Browser, signIn } from '../worker/pages/browser.ts';
import { type Chromium, inEveryLook, overflows, startChromium, violations } from './chromium.ts';

/** Of everything but pictures and media, compressed. */
const MOST_BYTES = 60_000;
const MOST_MEDIA_BYTES = 300_000;

let service: Service;
let browser: Chromium;
let origin: string;

beforeAll(async () => {
  if (!chromiumPath) return;
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9', MAIL: 'outbox', SIGN_UP: 'trial' });
  origin = service.url.origin;
  browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const seen = examples.filter((example) => example.featured && example.seen);
const [first, second] = seen;
const tool = toolPath(first?.operation ?? 'cut');
const pages = ['/', '/pricing', '/tools', '/docs/benchmarks', tool, toolPath('redub_vc'), toolPath('probe')];
const shownCode = async (page: Page) => (await page.locator('.ways pre:visible').textContent()) ?? '';
const tab = (page: Page, title: string) =>
  page.getByRole('radio', { name: title, exact: true }).filter({ visible: true });
const label = (page: Page, title: string) =>
  page.locator('label:visible', { hasText: new RegExp(`^${title}$`) });

describe.skipIf(!chromiumPath)('the site (needs Chromium)', () => {
  it.each(sampled(pages, 3))(
    '%s: fits every screen, light and dark; nothing for axe, nothing in the console',
    async (path) => {
      const page = await browser.open();
      const response = await page.goto(origin + path);
      expect(response?.status()).toBe(200);
      await inEveryLook(page, async (...look) => {
        const at = [path, ...look];
        expect([...at, await overflows(page)]).toEqual([...at, false]);
        expect([...at, await violations(page)]).toEqual([...at, []]);
      });
      await browser.leave(page);
      expect(browser.complaints.splice(0)).toEqual([]);
    },
  );

  it.each(sampled(pages, 3, 1))(
    '%s: can be read and used without script, and nothing is cut off on a phone',
    async (path) => {
      const page = await browser.open({ javaScriptEnabled: false, viewport: { width: 360, height: 800 } });
      await page.goto(origin + path);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/\w/);
      expect(await overflows(page)).toBe(false);
      const cut = await page.evaluate<
        string[]
      >(`[...document.querySelectorAll('.plans, .plans td, .plans th, .plan-cards li, .facts li')]
      .filter((one) => one.getBoundingClientRect().right > innerWidth).map((one) => one.textContent)`);
      expect(cut).toEqual([]);
      if (await page.locator('.ways').count()) {
        await label(page, 'Python').first().click();
        expect(await shownCode(page)).toContain('import requests');
      }
      await browser.leave(page);
    },
  );

  it('the landing page shows each result with the request that made it, in each language', async () => {
    const page = await browser.open({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${origin}/`);
    expect(seen.length).toBeGreaterThan(4);
    for (const example of seen) {
      await label(page, operations[example.operation].title).click();
      const video = page.locator('video:visible');
      expect(await video.getAttribute('src')).toBe(`/examples/${example.file}`);
      await label(page, 'MCP').click();
      const { method, params } = JSON.parse(await shownCode(page));
      expect([method, params.name]).toEqual(['tools/call', operations[example.operation].tool.name]);
      expect(params.arguments).toEqual(example.request(`${origin}/examples`));
      for (const text of JSON.stringify(params.arguments).match(/[\w-]+\.(mp4|m4a|jpg)/g) ?? [])
        expect(exampleSourceNames).toContain(text);
    }
    await browser.leave(page);
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  it('the tabs are moved by arrow keys, and the language stays when another result is chosen', async () => {
    const page = await browser.open({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${origin}/`);
    await tab(page, 'curl').focus();
    await page.keyboard.press('ArrowRight');
    expect(await shownCode(page)).toContain('process.env.SPOOL_API_KEY');
    const title = (example = first) => operations[example?.operation ?? 'cut'].title;
    await tab(page, title()).focus();
    await page.keyboard.press('ArrowRight');
    expect(await tab(page, title(second)).isChecked()).toBe(true);
    expect(await page.locator('video:visible').getAttribute('src')).toBe(`/examples/${second?.file}`);
    expect(await shownCode(page)).toContain('process.env.SPOOL_API_KEY');
    await browser.leave(page);
  });

  it('the landing page is light: its first view, and what it loads before somebody taps', async () => {
    const page = await browser.open({ viewport: { width: 1440, height: 900 } });
    const loaded: { path: string; type: string; bytes: number; compressed: number }[] = [];
    page.on('response', async (response) => {
      const path = new URL(response.url()).pathname;
      const body = await response.body();
      const type = response.headers()['content-type'] ?? '';
      loaded.push({ path, type, bytes: body.length, compressed: gzipSync(body).length });
    });
    await page.goto(`${origin}/`, { waitUntil: 'networkidle' });
    const isMedia = ({ type }: (typeof loaded)[number]) => /^(image\/jpeg|video|audio)/.test(type);
    const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
    const media = sum(loaded.filter(isMedia).map(({ bytes }) => bytes));
    const rest = sum(loaded.filter((one) => !isMedia(one)).map(({ compressed }) => compressed));
    console.log(
      `landing: ${loaded.length} requests, ${rest} bytes gzip without media, ${media} bytes of posters`,
    );
    expect(loaded.some(({ type }) => type.startsWith('video'))).toBe(false);
    expect(media).toBeGreaterThan(0);
    expect(media).toBeLessThan(MOST_MEDIA_BYTES);
    expect(rest).toBeLessThan(MOST_BYTES);
    await browser.leave(page);
  });

  it('plays the result after one click, and stops it when another is chosen', async () => {
    const page = await browser.open({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${origin}/`, { waitUntil: 'networkidle' });
    await page.evaluate(`void (window.playing = new Promise((resolve) => {
      const [video] = document.querySelectorAll('video');
      addEventListener('click', () => { window.clickedAt = performance.now(); }, { capture: true, once: true });
      video.requestVideoFrameCallback(() => resolve(performance.now() - window.clickedAt));
    }))`);
    await page.locator('.play:visible').click();
    const ms = await page.evaluate<number>('window.playing');
    console.log(`landing: ${Math.round(ms)} ms from the click to the first frame`);
    expect(ms).toBeLessThan(10_000);
    expect(await page.locator('.play:visible').count()).toBe(0);
    await label(page, operations[second?.operation ?? 'cut'].title).click();
    expect(
      await page.evaluate("[...document.querySelectorAll('video')].every((video) => video.paused)"),
    ).toBe(true);
    await browser.leave(page);
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  it('leads from the page of every operation to its form with an example: a visitor by way of signing in', async () => {
    const visitor = new Browser(service, origin);
    const { path } = await signIn(service, visitor, 'tools@example.com');
    const account = path.split('/')[2] ?? '';
    const page = await browser.open();
    await page.goto(origin + tool);
    await page.getByRole('link', { name: 'Try it in the playground' }).click();
    await page.waitForURL((url) => url.pathname === '/app/sign-in');
    expect(new URL(page.url()).searchParams.get('next')).toBe(`/app/playground/${first?.operation}`);
    const cookies = [...visitor.cookies].map(([name, value]) => ({ name, value, url: origin }));
    await page.context().clearCookies();
    await page.context().addCookies(cookies);
    for (const name of operationNames) {
      await page.goto(`${origin}/app/playground/${name}`);
      const { pathname, searchParams } = new URL(page.url());
      expect(pathname).toBe(`/app/${account}/playground/${name}`);
      const example = featuredOf(name);
      if (example) expect(searchParams.get('example')).toBe(example.file.replace(/\.\w+$/, ''));
      const request = JSON.parse(await page.getByLabel('Request', { exact: true }).inputValue());
      expect(operations[name].input.safeParse(request).error).toBeUndefined();
    }
    await browser.leave(page);
    expect(browser.complaints.splice(0)).toEqual([]);
  });
});
