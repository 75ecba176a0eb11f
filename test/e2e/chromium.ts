import axe from 'axe-core';
import { type Browser, type ConsoleMessage, chromium, type Page } from 'playwright-core';
import { chromiumPath } from '../browser/player.ts';
import type { Service } from '../harness.ts';
import { mailTo, secretsIn } from '../worker/pages/browser.ts';

type Options = Parameters<Browser['newContext']>[0];

export interface Chromium {
  /** What pages complained about: errors of scripts, and what their Content-Security-Policy refused. */
  complaints: string[];
  /** An empty page of a browser without cookies. */
  open(options?: Options): Promise<Page>;
  /** Ends a visit. The page is emptied and serves a later one: its first load costs eight times as much as those that follow. */
  leave(page: Page): Promise<void>;
  close(): Promise<void>;
}

/** Where a page waits for its next visit, without an icon. */
const BETWEEN_VISITS = '/static/favicon.svg';

/** @param isExpected errors of the console that a test causes, such as the status of a refused form */
export async function startChromium(
  isExpected: (message: ConsoleMessage) => boolean = () => false,
): Promise<Chromium> {
  const browser = await chromium.launch({
    executablePath: chromiumPath ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  const complaints: string[] = [];
  const listen = (page: Page) => {
    page.on('console', (message) => {
      if (message.type() === 'error' && !isExpected(message) && !page.url().endsWith(BETWEEN_VISITS))
        complaints.push(`${page.url()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  };
  const idle: Page[] = [];
  const kinds = new WeakMap<Page, string>();
  return {
    complaints,
    async open({ viewport = { width: 1280, height: 720 }, colorScheme = 'light', ...options } = {}) {
      const kind = JSON.stringify(options);
      const at = idle.findIndex((page) => kinds.get(page) === kind);
      const page = idle.splice(at, at < 0 ? 0 : 1)[0] ?? (await newPage(browser, options));
      kinds.set(page, kind);
      await page.emulateMedia({ colorScheme });
      if (viewport) await page.setViewportSize(viewport);
      listen(page);
      return page;
    },
    async leave(page) {
      for (const event of ['console', 'pageerror', 'request', 'response'] as const)
        page.removeAllListeners(event);
      await emptied(page);
      idle.push(page);
    },
    close: () => browser.close(),
  };
}

async function newPage(browser: Browser, options: Options): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  page.setDefaultTimeout(20_000);
  return page;
}

/** Leaves nothing of a visitor to the next one. */
export async function emptied(page: Page): Promise<void> {
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll();
  if (page.url().startsWith('http')) {
    await page.evaluate('localStorage.clear(), sessionStorage.clear()');
    // A file of the same origin: after about:blank, the next page would begin with a new process.
    await page.goto(new URL(BETWEEN_VISITS, page.url()).href);
  }
  await context.clearCookies();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.clearBrowserCache');
  await devtools.detach();
}

/** Asks for a mail to sign in with. @returns its code and link */
export async function askForMail(page: Page, service: Service, origin: string, email: string) {
  await page.goto(`${origin}/app`);
  await page.getByLabel('Your email address').fill(email);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
  return secretsIn(await mailTo(service, email));
}

/** Signs somebody up by code, which leads to Home. @returns the path of their account */
export async function signUp(page: Page, service: Service, origin: string, email: string): Promise<string> {
  const { code } = await askForMail(page, service, origin, email);
  await page.getByLabel('Six-digit code').fill(code);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Now' }).waitFor();
  return new URL(page.url()).pathname.replace(/\/home$/, '');
}

/** Looks at a page light and dark, as wide as a phone, a tablet and a desktop. */
export async function inEveryLook(
  page: Page,
  look: (colorScheme: 'light' | 'dark', width: number) => Promise<void>,
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await look(colorScheme, width);
    }
  }
}

/** Whether something reaches beyond the screen at its right. */
export async function overflows(page: Page): Promise<boolean> {
  // Before, its style may be missing.
  await page.waitForLoadState('load');
  return page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  );
}

/** All rules; without the places at which a rule is kept, whose description takes most of the time. */
const RUN_AXE = "axe.run({ resultTypes: ['violations'] })";

/** What axe finds wrong with a page: the rule, and the first elements. */
export async function violations(page: Page): Promise<[rule: string, elements: string[]][]> {
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(axe.source);
  const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(RUN_AXE);
  return found.violations.map(({ id, nodes }) => [
    id,
    nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)),
  ]);
}
