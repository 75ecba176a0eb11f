import { afterAll, beforeAll, expect, it } from 'vitest';
import { featuredOf } from '../../schema/api/examples.ts';
import {
  type Feature,
  features,
  limitNames,
  planLimits,
  planNames,
  planOf,
  prices,
} from '../../schema/api/plans.ts';
import { operationNames, operations } from '../../schema/operations/index.ts';
import { limitText } from '../../worker/http/docs/plan-limits.ts';
import { pricingPage } from '../../worker/http/pricing/pricing-page.ts';
import { toolPath } from '../../worker/http/tools/tool-list.ts';
import { moneyText } from '../../worker/lib/text/money-text.ts';
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

it('says of every page what it is about, where it is, and how a link to it looks', async () => {
  const sitemap = await (await service.request('/sitemap.xml')).text();
  const paths = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, at = '']) => new URL(at).pathname);
  const seen = { title: new Set<string>(), description: new Set<string>() };
  for (const path of paths) {
    const text = await (await service.request(path, asBrowser)).text();
    const head = text.slice(0, text.indexOf('</head>'));
    const one = (pattern: RegExp) => {
      const found = [...head.matchAll(pattern)];
      expect([path, String(pattern), found.length]).toEqual([path, String(pattern), 1]);
      return found[0]?.[1] ?? '';
    };
    const title = one(/<title>([^<]+)<\/title>/g);
    const description = one(/<meta name="description" content="([^"]+)">/g);
    expect(description.length, path).toBeLessThan(200);
    expect(one(/<link rel="canonical" href="([^"]+)">/g)).toBe(service.url.origin + path);
    expect(one(/<meta property="og:url" content="([^"]+)">/g)).toBe(service.url.origin + path);
    expect(one(/<meta property="og:title" content="([^"]+)">/g)).toBe(title);
    expect(one(/<meta property="og:image" content="([^"]+)">/g)).toBe(
      `${service.url.origin}/examples/social.jpg`,
    );
    expect([...seen.title, ...seen.description]).not.toContain(title);
    expect([...seen.title, ...seen.description]).not.toContain(description);
    seen.title.add(title);
    seen.description.add(description);
  }
  expect(paths).toEqual(expect.arrayContaining(operationNames.map(toolPath)));
  const picture = await service.request('/examples/social.jpg', { method: 'HEAD' });
  expect(picture.headers.get('content-type')).toBe('image/jpeg');
});

it('describes the product for search engines, with what is sold', async () => {
  const text = await (await service.request('/', asBrowser)).text();
  const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? [];
  const graph = JSON.parse(data)['@graph'];
  expect(graph.map((one: { '@type': string }) => one['@type'])).toEqual(['SoftwareApplication', 'WebAPI']);
  expect(graph[0].url).toBe(service.url.origin);
  expect(graph[0].featureList).toHaveLength(operationNames.length);
  expect(graph[0].offers).toEqual(
    planNames.map((name) => ({
      ...{ '@type': 'Offer', name: planOf(name).title, url: `${service.url.origin}/pricing` },
      price: (prices.monthly[name] / 100).toFixed(2),
      priceCurrency: 'USD',
    })),
  );
});

it('compares every feature and every limit of the plans, and says what happens at each limit', async () => {
  const text = await (await service.request('/pricing', asBrowser)).text();
  const table = /<table class="plans">(.*?)<\/table>/s.exec(text)?.[1] ?? '';
  const rows = [...table.matchAll(/<tr><th scope="row">(.*?)<\/th>(.*?)<\/tr>/gs)].map(
    ([, title = '', cells = '']) => ({
      title: title.replace(/<[^>]+>/g, ''),
      cells: [...cells.matchAll(/<td data-plan="(\w+)">(.*?)<\/td>/gs)].map(([, , cell = '']) => cell),
    }),
  );
  for (const { title, cells } of rows) expect([title, cells.length]).toEqual([title, planNames.length]);
  const outcomes = [...text.matchAll(/<dt>(.*?)<\/dt>/g)].map(([, names = '']) => names).join(', ');
  for (const name of limitNames) {
    const { doc } = planLimits[name];
    const row = rows.filter(({ title }) => title === doc);
    expect(row.map(({ cells }) => cells)).toEqual([planNames.map((plan) => limitText(name, planOf(plan)))]);
    expect(outcomes).toContain(doc);
  }
  const marks = (feature: Feature) =>
    planNames.map((plan) => (planOf(plan).features.includes(feature) ? 'included' : 'not included'));
  for (const feature of Object.keys(features) as Feature[]) {
    const names = operationNames.filter((name) => operations[name].feature === feature);
    const title = names.map((name) => operations[name].title).join(', ') || features[feature];
    const row = rows.find((one) => one.title.toLowerCase() === title.toLowerCase());
    const labels = row?.cells.map((cell) => /aria-label="([^"]+)"/.exec(cell)?.[1]);
    expect([feature, labels]).toEqual([feature, marks(feature)]);
  }
});

it('tells of mails, grace and purchases only where there are any', async () => {
  const here = await (await service.request('/pricing', asBrowser)).text();
  expect(here).toContain('Tasks continue for 7 days');
  expect(here).not.toContain('get a mail');
  const { BILLING, SIGN_UP, MAIL, GRACE_DAYS } = {
    BILLING: 'none',
    SIGN_UP: 'inactive',
    MAIL: 'outbox',
    GRACE_DAYS: 7,
  } as const;
  const config = { BILLING, SIGN_UP, MAIL, GRACE_DAYS, PUBLIC_URL: 'https://a.example' };
  const operated = await pricingPage(config as Parameters<typeof pricingPage>[0]);
  expect(operated).toContain('get a mail at 80 and at 100 % of task creations per minute and queued tasks');
  expect(operated).toContain('plans are assigned by the operator');
  expect(operated).not.toMatch(/payment|\$9|days of Basic/);
});

it('shows each operation a page of its own with its request, and leads from it to the form', async () => {
  for (const name of operationNames) {
    const text = await (await service.request(toolPath(name), asBrowser)).text();
    expect(text).toContain(`<h1>${operations[name].search.title}</h1>`);
    expect(text).toContain(`href="/app/playground/${name}"`);
    expect(text).toContain(`curl ${service.url.origin}${operations[name].path}`);
    const featured = featuredOf(name);
    if (featured)
      expect([name, text]).toEqual([name, expect.stringContaining(`src="/examples/${featured.file}"`)]);
  }
});

it('shows agents a request that the MCP server takes as it is', async () => {
  for (const name of operationNames) {
    const text = await (await service.request(toolPath(name), asBrowser)).text();
    const shown = [...text.matchAll(/<code>(\{.*?\})<\/code><\/pre>/gs)].map(([, json = '']) =>
      JSON.parse(json.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')),
    );
    const call = shown.find(({ method }) => method === 'tools/call');
    // Sources of examples are on this service, from which it does not read.
    const own = JSON.parse(JSON.stringify(call).replaceAll(service.url.origin, 'https://media.example.com'));
    const response = await service.request('/mcp', {
      ...{ json: own, key: service.accounts.elite.key },
      headers: { accept: 'application/json, text/event-stream' },
    });
    const [, answer = ''] = /^data: (.*)$/m.exec(await response.text()) ?? [];
    const { result } = JSON.parse(answer) as {
      result?: { isError?: boolean; structuredContent?: { operation: string } };
    };
    expect([name, result?.isError ?? false, result?.structuredContent?.operation]).toEqual([
      name,
      false,
      name,
    ]);
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

it('names the path that was probably meant, and leads a browser from an address with slashes too many to the page', async () => {
  for (const [path, meant] of [
    ['/api/v1/cut/', '/cut'],
    ['/task/task_01k0000000000000000000000a/', '/task/task_01k0000000000000000000000a'],
    ['/captions_auto', '/captions/auto'],
    ['/cut_video', '/cut'],
    ['/trim', '/cut'],
    ['/v1/merge', '/merge_urls'],
    ['/task', '/tasks'],
    ['/webhooks', '/webhooks/endpoints'],
  ]) {
    const wrong = await service.request(path ?? '', { method: 'POST', json: {} });
    expect([wrong.status, await wrong.json()]).toMatchObject([
      404,
      { code: 'not_found', detail: `There is nothing at this path. Did you mean \`${meant}\`?` },
    ]);
  }
  expect(await (await service.request('/nothing-like-it')).json()).toMatchObject({
    detail: 'Unknown path. Check the path; /openapi.json lists all of them.',
  });
  const moved = await service.request('/docs/quickstart/?a=1', { ...asBrowser, redirect: 'manual' });
  expect([moved.status, moved.headers.get('location')]).toEqual([308, '/docs/quickstart?a=1']);
  const elsewhere = await service.request(`${service.url.origin}//example.com/`, {
    ...asBrowser,
    redirect: 'manual',
  });
  expect(elsewhere.status).toBe(404);
});

it('writes a path as text, whatever it contains', async () => {
  const page = await service.request('/%3Cscript%3Ealert(1)%3C/script%3E', asBrowser);
  expect(await page.text()).not.toContain('<script>alert');
});
