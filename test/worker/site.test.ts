import { afterAll, beforeAll, expect, it } from 'vitest';
import { planNames, planOf, prices } from '../../schema/api/plans.ts';
import { moneyText } from '../../worker/lib/money-text.ts';
import { type Service, startService } from '../harness.ts';
import { stripeSecrets } from './billing/stand.ts';

let service: Service;
beforeAll(async () => {
  const stripe = { BILLING: 'stripe', STRIPE_API_URL: 'http://127.0.0.1:9', ...stripeSecrets };
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9', SIGN_UP: 'trial', ...stripe });
});
afterAll(() => service.close());

const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

it('tells search engines what to read: every address of the sitemap is a page', async () => {
  const robots = await (await service.request('/robots.txt')).text();
  const sitemap = new URL(/^Sitemap: (.*)$/m.exec(robots)?.[1] ?? '');
  const text = await (await service.request(sitemap.pathname)).text();
  const pages = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, at = '']) => new URL(at));
  expect(pages.length).toBeGreaterThan(6);
  for (const { pathname, origin } of pages) {
    expect(origin).toBe(service.url.origin);
    const response = await service.request(pathname, asBrowser);
    expect([pathname, response.status]).toEqual([pathname, 200]);
    expect(response.headers.get('content-type')).toContain('text/html');
    await response.body?.cancel();
  }
});

it('leads from the well-known address to the OpenAPI document', async () => {
  const response = await service.request('/.well-known/openapi.json');
  expect(await response.json()).toMatchObject({ openapi: expect.stringMatching(/^3\./) });
});

it('prices every plan where plans are sold, and says what is free', async () => {
  const text = await (await service.request('/pricing', asBrowser)).text();
  for (const name of planNames) {
    expect(text).toContain(planOf(name).title);
    expect(text).toContain(moneyText(prices.monthly[name], prices.currency));
  }
  expect(text).toContain('14 days of Basic');
});

it('shows a browser a page where there is nothing, with links, and tells a program as JSON', async () => {
  const page = await service.request('/docs/no-such-page', asBrowser);
  expect(page.status).toBe(404);
  expect(page.headers.get('content-security-policy')).toContain("style-src 'self'");
  expect(await page.text()).toMatch(/no such page.*href="\/docs"/s);
  const problem = await service.request('/docs/no-such-page');
  expect(problem.status).toBe(404);
  expect(problem.headers.get('content-type')).toContain('application/problem+json');
  expect(await problem.json()).toMatchObject({ code: 'not_found' });
  const posted = await service.request('/no-such-operation', { ...asBrowser, method: 'POST' });
  expect(posted.headers.get('content-type')).toContain('application/problem+json');
});

it('writes a path as text, whatever it contains', async () => {
  const page = await service.request('/%3Cscript%3Ealert(1)%3C/script%3E', asBrowser);
  expect(await page.text()).not.toContain('<script>alert');
});
