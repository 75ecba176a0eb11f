import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorCodes } from '../../schema/api/errors.ts';
import { problem } from '../../schema/api/problem.ts';
import { operationNames } from '../../schema/operations/index.ts';
import { EXAMPLE_ORIGIN } from '../../worker/http/docs/example-tasks.ts';
import { everyPage as docPagesOf } from '../../worker/http/docs/pages/print-page.ts';
import { errorPath, operationPath } from '../../worker/http/docs/paths.ts';
import { serviceIndex } from '../../worker/http/docs/service-index.ts';
import { toolPath } from '../../worker/http/tools/tool-list.ts';
import {
  changed,
  committedDocument,
  documentNames,
  servedDocument,
  startDocumentService,
} from '../golden/documents.ts';
import type { Service } from '../harness.ts';

let service: Service;

beforeAll(async () => {
  service = await startDocumentService();
});
afterAll(() => service.close());

const docPages = docPagesOf.map(({ path }) => path);
const pages = [
  '/',
  ...docPages,
  '/docs/examples',
  '/docs/transitions',
  '/docs/changelog',
  '/docs/benchmarks',
  '/tools',
  '/pricing',
  ...operationNames.map(toolPath),
];
/** The page of a tool has a Content-Security-Policy of its own: test/worker/tools.test.ts. */
const everyPage = [...pages, '/tools/mp4-to-mp3'];
const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
let visitors = 0;
// Every test is another visitor: the pages and their files are more than one address may read in a minute.
beforeEach(() => {
  visitors += 1;
});
const request: Service['request'] = (path, init) =>
  service.request(path, {
    ...init,
    headers: {
      ...(init?.headers as Record<string, string> | undefined),
      'cf-connecting-ip': `10.1.${visitors >> 8}.${visitors & 255}`,
    },
  });
const printed = [
  '/openapi.json',
  '/llms.txt',
  '/llms-full.txt',
  '/search.json',
  '/docs.md',
  '/docs/operations/cut.md',
];

async function read(path: string): Promise<string> {
  const response = await request(path, asBrowser);
  expect(response.status, path).toBe(200);
  return response.text();
}

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '');
const idsOf = (html: string) => all(html, / id="([^"]+)"/g);

describe('the documents', () => {
  it.each(documentNames)('%s is committed as it is served today', async (name) => {
    expect(await servedDocument(service, name), changed).toBe(committedDocument(name));
  });

  it('name the service that serves them, everywhere', async () => {
    for (const path of printed) {
      const text = await read(path);
      expect(text).toContain(service.url.origin);
      expect(text).not.toContain(EXAMPLE_ORIGIN);
    }
    for (const path of everyPage) expect(await read(path)).not.toContain(EXAMPLE_ORIGIN);
  });

  it('are listed at / for programs, and every address answers', async () => {
    for (const accept of ['*/*', 'application/json']) {
      const response = await request('/', { headers: { accept } });
      expect(response.headers.get('vary')).toBe('Accept');
      const { links, operations } = serviceIndex.parse(await response.json());
      for (const link of Object.values(links)) {
        expect([link, (await fetch(link)).status]).toEqual([link, link.endsWith('/mcp') ? 405 : 200]);
      }
      for (const link of Object.values(operations)) expect((await fetch(link)).status).toBe(405);
    }
  });

  it.each([...everyPage, ...printed])('%s can be cached and asked for by HEAD', async (path) => {
    const first = await request(path, asBrowser);
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).not.toBe('');
    const again = await request(path, { headers: { ...asBrowser.headers, 'if-none-match': etag } });
    expect(again.status).toBe(304);
    const head = await request(path, { ...asBrowser, method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const post = await request(path, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('the pages', () => {
  it.each(pages)('%s may reach no other origin, and names none that it would load from', async (path) => {
    const response = await request(path, asBrowser);
    const html = await response.text();
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    const loaded = all(
      html.replace(/<link rel="canonical"[^>]*>/, ''),
      /<(?:script|link|img|iframe|source|video)\b[^>]*?\s(?:src|href|poster)="([^"]+)"/g,
    );
    expect(loaded.length).toBeGreaterThan(0);
    for (const address of loaded) {
      expect(address).toMatch(/^\/((static|examples|transitions)\/|[\w/]+\.atom$)/);
      expect((await request(address)).status).toBe(200);
    }
    expect(html).not.toMatch(/ style="| on[a-z]+="|<script>|<style>/);
    const css = await read('/static/docs.css');
    expect(css).not.toMatch(/url\(|@import/);
  });

  it.each(everyPage)('%s keeps its files for as long as they are those that it names', async (path) => {
    const files = [...new Set(all(await read(path), / (?:src|href)="(\/static\/[^"]+)"/g))];
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      expect(file).toMatch(/\?v=[\w-]{8,16}$/);
      const caching = async (address: string) => (await request(address)).headers.get('cache-control');
      expect(await caching(file)).toBe('public, max-age=31536000, immutable');
      expect(await caching(`${file}0`)).not.toContain('immutable');
      expect(await caching(file.replace(/\?.*/, ''))).not.toContain('immutable');
    }
  });

  it.each(everyPage.filter((path) => path !== '/'))(
    '%s is also Markdown, by its suffix and by what is accepted',
    async (path) => {
      const bySuffix = await request(`${path}.md`, asBrowser);
      const byHeader = await request(path, {
        headers: { ...asBrowser.headers, accept: 'text/markdown, text/html;q=0.9' },
      });
      const text = await bySuffix.text();
      expect(await byHeader.text()).toBe(text);
      for (const { status, headers } of [bySuffix, byHeader]) {
        expect([status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
        expect(headers.get('vary')).toContain('Accept');
        expect(headers.get('etag')).not.toBeNull();
      }
      expect(text).toMatch(/^# \S/);
      const prose = text.replace(/^ *```[\s\S]*?^ *```$/gm, '').replace(/`[^`\n]*`/g, '');
      expect(prose).not.toMatch(/<\/?(?:a|p|div|dl|dt|dd|li|ul|span|section|figure|code|table)\b/);
      expect(all(prose, /\]\(([^)\s]+)/g).filter((link) => link.startsWith('/'))).toEqual([]);
    },
  );

  it('are one text for a language model that opens the address alone', async () => {
    const response = await request('/', { headers: { accept: 'text/markdown' } });
    expect(await response.text()).toBe(await read('/llms.txt'));
    expect(response.headers.get('content-type')).toMatch(/^text\/markdown/);
  });

  it('give no id twice', async () => {
    for (const path of everyPage) {
      const ids = idsOf(await read(path));
      expect([path, ids.length]).toEqual([path, new Set(ids).size]);
    }
  });

  it('lead nowhere into the void: every link within the service and its anchor exist', async () => {
    const seen = new Map<string, string>();
    const load = async (path: string) => {
      const known = seen.get(path) ?? (await read(path));
      seen.set(path, known);
      return known;
    };
    let followed = 0;
    for (const path of [...everyPage, '/llms.txt']) {
      const text = await load(path);
      const links = path.endsWith('.txt')
        ? all(text, /\]\(([^)]+)\)/g)
        : all(text, /<a\b[^>]*? href="([^"]+)"/g);
      expect(links.length, path).toBeGreaterThan(3);
      for (const link of new Set(links)) {
        const target = new URL(link, new URL(path, service.url));
        if (target.origin !== service.url.origin) continue;
        const page = await load(target.pathname);
        if (target.hash !== '')
          expect(idsOf(page), `${path} links to ${link}`).toContain(target.hash.slice(1));
        followed++;
      }
    }
    expect(followed).toBeGreaterThan(100);
  });

  it('have a place for every error and every operation', async () => {
    expect(idsOf(await read('/docs/errors'))).toEqual(expect.arrayContaining(errorCodes));
    for (const code of errorCodes) expect(docPages).toContain(errorPath(code));
    for (const name of operationNames) expect(docPages).toContain(operationPath(name));
  });

  it('explain a real problem at the address that its type names', async () => {
    const refused = problem.parse(await (await request('/cut', { json: {} })).json());
    const type = new URL(refused.type);
    expect(idsOf(await read(type.pathname))).toContain(type.hash.slice(1));
  });

  it('show the changelog of this repository', async () => {
    const version = /^## \[([^\]]+)\]/m.exec(readFileSync('CHANGELOG.md', 'utf8'));
    expect(await read('/docs/changelog')).toContain(version?.[1]);
  });

  it('answer for a file that does not exist with a 404 problem', async () => {
    const response = await request('/static/none.css');
    expect(response.status).toBe(404);
    expect(problem.parse(await response.json()).code).toBe('not_found');
  });
});
