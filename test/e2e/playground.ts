import type { Page } from 'playwright-core';
import type { OperationName } from '../../schema/operations/index.ts';
import { type Service, startService } from '../harness.ts';
import { Browser, signIn } from '../worker/pages/browser.ts';
import { type StandIn, startStandIn } from '../worker/stand-in.ts';
import { type Chromium, startChromium } from './chromium.ts';

interface Cookie {
  name: string;
  value: string;
  url: string;
}

type Parts = Pick<Playground, 'service' | 'transcoder' | 'browser' | 'origin' | 'account'>;

/** The playground of an account of the plan Elite in a real browser, over a transcoder that a test stands in for. */
export class Playground {
  readonly service: Service;
  readonly transcoder: StandIn;
  readonly browser: Chromium;
  readonly origin: string;
  readonly account: string;
  private readonly cookies: Cookie[];

  private constructor(parts: Parts, cookies: Cookie[]) {
    this.service = parts.service;
    this.transcoder = parts.transcoder;
    this.browser = parts.browser;
    this.origin = parts.origin;
    this.account = parts.account;
    this.cookies = cookies;
  }

  static async start(): Promise<Playground> {
    const transcoder = await startStandIn();
    let origin = '';
    const service = await startService(async (url) => {
      origin = `http://localhost:${url.port}`;
      return {
        TRANSCODER_URL: transcoder.origin,
        MAIL: 'outbox',
        SIGN_UP: 'trial',
        PUBLIC_URL: origin,
        SPOOL_DEV_ORIGINS: origin,
      };
    });
    const visitor = new Browser(service, origin);
    const { path } = await signIn(service, visitor, 'player@example.com');
    const account = path.split('/')[2] ?? '';
    const { DB } = await service.bindings();
    await DB.prepare("update accounts set plan = 'elite' where id = ?").bind(account).run();
    const cookies = [...visitor.cookies].map(([name, value]) => ({ name, value, url: origin }));
    const browser = await startChromium((message) =>
      // A refused request is an error of the network, too.
      /status of 4\d\d/.test(message.text()),
    );
    return new Playground({ service, transcoder, browser, origin, account }, cookies);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.service.close();
    await this.transcoder.close();
  }

  get path(): string {
    return `/app/${this.account}/playground`;
  }

  formOf(name: OperationName, query = ''): string {
    return `${this.path}/${name}${query}`;
  }

  async open(path: string, options: Parameters<Chromium['open']>[0] = {}): Promise<Page> {
    const page = await this.browser.open({ viewport: { width: 1280, height: 900 }, ...options });
    await page.context().addCookies(this.cookies);
    await page.goto(this.origin + path);
    return page;
  }

  leave(page: Page): Promise<void> {
    return this.browser.leave(page);
  }
}

/** The request that a form shows. */
export async function requestIn(page: Page): Promise<unknown> {
  return JSON.parse(await page.getByLabel('Request', { exact: true }).inputValue());
}
