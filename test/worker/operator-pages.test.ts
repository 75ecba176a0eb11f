import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { type Service, startService } from '../harness.ts';

const given = {
  SECURITY_CONTACT: 'mailto:security@example.com',
  SECURITY_POLICY_URL: 'https://example.com/security',
  SECURITY_LANGUAGES: 'en, de',
  TERMS_URL: 'https://example.com/terms',
  IMPRINT_URL: 'https://example.com/imprint',
};
const asBrowser = { headers: { accept: 'text/html' }, redirect: 'manual' } as const;
let without: Service;
let service: Service;
beforeAll(async () => {
  without = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9' });
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9', ...given });
}, 180_000);
afterAll(async () => {
  await without?.close();
  await service?.close();
});

/** Pages of every module that prints them. */
const printed = [
  '/',
  '/docs',
  '/docs/changelog',
  '/pricing',
  '/tools',
  '/tools/mp4-to-mp3',
  '/status',
  '/no-such-page',
];

describe('documents of the operator', () => {
  it('are where their settings say, with a link in the foot of every page', async () => {
    const terms = await service.request('/terms', asBrowser);
    expect([terms.status, terms.headers.get('location')]).toEqual([302, given.TERMS_URL]);
    const imprint = await service.request('/imprint', asBrowser);
    expect(imprint.headers.get('location')).toBe(given.IMPRINT_URL);
    for (const path of printed) {
      const text = await (await service.request(path, asBrowser)).text();
      const foot = /<footer class="foot">(.*)<\/footer>/s.exec(text)?.[1] ?? '';
      const links = [...foot.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
      expect([path, links]).toEqual([path, ['/status', '/docs/changelog', '/terms', '/imprint']]);
    }
  });

  it.each([
    ['/terms', 'TERMS_URL'],
    ['/privacy', 'PRIVACY_URL'],
    ['/imprint', 'IMPRINT_URL'],
  ])('are absent until given: %s says that %s is not set', async (path, setting) => {
    const response = await without.request(path, asBrowser);
    expect(response.status).toBe(404);
    const text = await response.text();
    expect(text).toContain('The operator of this service has not provided this document.');
    expect(text).toContain(setting);
    expect(text).not.toContain(`href="${path}"`);
  });
});

describe('security.txt', () => {
  it('has the fields of RFC 9116, and expires within a year', async () => {
    const response = await service.request('/.well-known/security.txt');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/plain; charset=UTF-8',
    ]);
    const lines = (await response.text()).trimEnd().split('\n');
    const fields = new Map(lines.map((line) => line.split(/: (.*)/).slice(0, 2) as [string, string]));
    const { Expires, ...others } = Object.fromEntries(fields);
    expect(others).toEqual({
      Contact: given.SECURITY_CONTACT,
      'Preferred-Languages': 'en, de',
      Canonical: `${service.url.origin}/.well-known/security.txt`,
      Policy: given.SECURITY_POLICY_URL,
    });
    const days = (Date.parse(Expires ?? '') - Date.now()) / (24 * 3600_000);
    expect(days).toBeGreaterThan(80);
    expect(days).toBeLessThan(365);
  });

  it('is absent without a contact, and says which setting is missing', async () => {
    const response = await without.request('/.well-known/security.txt');
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('SECURITY_CONTACT');
  });
});

describe('X-Spool-Version', () => {
  it.each([
    ['a page', '/pricing', {}],
    ['an answer in JSON', '/capabilities', {}],
    ['an error', '/task/nothing', {}],
    ['an unknown path', '/nothing', {}],
    ['an unknown path in a browser', '/nothing', asBrowser],
    ['a method that is not allowed', '/cut', {}],
    ['a refused body', '/cut', { method: 'POST', body: '{' }],
    ['a static file', '/static/docs.css', {}],
    ['a redirect', '/.well-known/openapi.json', { redirect: 'manual' }],
    ['the dashboard', '/app', { redirect: 'manual' }],
    ['the MCP server without a key', '/mcp', { method: 'POST', body: '{}' }],
  ] as const)('is on %s', async (_, path, init) => {
    const response = await service.request(path, init);
    await response.body?.cancel();
    expect(response.headers.get('x-spool-version')).toBe(packageJson.version);
  });

  it('is on every answer of the MCP server, and on what has not changed', async () => {
    const versions: (string | null)[] = [];
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', service.url), {
        requestInit: { headers: { 'x-api-key': service.accounts.elite.key } },
        fetch: async (url, init) => {
          const response = await fetch(url, init);
          versions.push(response.headers.get('x-spool-version'));
          return response;
        },
      }),
    );
    await client.listTools();
    await client.close();
    expect(versions.length).toBeGreaterThan(1);
    expect(new Set(versions)).toEqual(new Set([packageJson.version]));
    const first = await service.request('/docs/changelog', asBrowser);
    const etag = first.headers.get('etag') ?? '';
    await first.body?.cancel();
    const again = await service.request('/docs/changelog', { headers: { 'if-none-match': etag } });
    expect([again.status, again.headers.get('x-spool-version')]).toEqual([304, packageJson.version]);
  });
});

it('has a feed of released versions', async () => {
  const response = await service.request('/docs/changelog.atom');
  expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  expect(await response.text()).toMatch(
    /^<\?xml .*<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom">.*<\/feed>\n$/s,
  );
});
