import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problem } from '../../schema/api/problem.ts';
import { type Service, startService } from '../harness.ts';

const PATH = '/tools/mp4-to-mp3';

let service: Service;
beforeAll(async () => {
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9' });
});
afterAll(() => service.close());

const policyOf = (response: Response) =>
  new Map(
    (response.headers.get('content-security-policy') ?? '').split('; ').map((directive): [string, string] => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );

/** What the page loads, and the files that its service worker keeps. */
async function addresses(): Promise<{ loaded: string[]; kept: string[] }> {
  const html = await (await service.request(PATH)).text();
  const worker = await (await service.request(`${PATH}/service-worker.js`)).text();
  const kept = JSON.parse(/const FILES = (\[.*?\]);/.exec(worker)?.[1] ?? '[]') as string[];
  const loaded = [
    ...html
      .replace(/<link rel="canonical"[^>]*>/, '')
      .matchAll(/<(?:script|link)\b[^>]*? (?:src|href)="([^"]+)"/g),
  ].map(([, path = '']) => path);
  return { loaded, kept };
}

describe('the tools', () => {
  it('the page and the worker of the converter may send nothing anywhere', async () => {
    const { kept } = await addresses();
    const worker = kept.find((path) => path.includes('/converter-')) ?? '';
    for (const path of [PATH, worker]) {
      const policy = policyOf(await service.request(path));
      for (const name of ['default-src', 'connect-src', 'form-action', 'base-uri', 'frame-ancestors'])
        expect([path, name, policy.get(name)]).toEqual([path, name, "'none'"]);
      expect(policy.get('script-src')).toBe("'self' 'wasm-unsafe-eval'");
      expect(policy.get('worker-src')).toBe("'self'");
    }
  });

  it('the service worker may fetch the files of the tool, and nothing else', async () => {
    const response = await service.request(`${PATH}/service-worker.js`);
    const { loaded, kept } = await addresses();
    expect(policyOf(response).get('default-src')).toBe("'none'");
    expect(policyOf(response).get('connect-src')).toBe(
      kept.map((path) => service.url.origin + path).join(' '),
    );
    expect(response.headers.get('service-worker-allowed')).toBe(PATH);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    // It keeps one version of each file, whatever version is asked for.
    const files = loaded.map((address) => address.replace(/\?.*/, ''));
    expect(kept).toEqual(expect.arrayContaining([PATH, ...files]));
    for (const path of kept) expect([path, (await service.request(path)).status]).toEqual([path, 200]);
  });

  it('files with the hash of their content are kept for good, others are asked for again', async () => {
    const { kept } = await addresses();
    const own = kept.filter((path) => path.startsWith(`${PATH}/`));
    for (const path of own) {
      const control = (await service.request(path)).headers.get('cache-control');
      const isHashed = /-[A-Z0-9]{8}\./.test(path);
      expect([path, control]).toEqual([
        path,
        isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      ]);
    }
    expect(own.filter((path) => /-[A-Z0-9]{8}\./.test(path))).toHaveLength(3);
  });

  it('a file that there is not is a 404 problem, and so is the list of the bundles', async () => {
    for (const name of ['none.js', 'made.json']) {
      const response = await service.request(`${PATH}/${name}`);
      expect([name, response.status]).toEqual([name, 404]);
      expect(problem.parse(await response.json()).code).toBe('not_found');
    }
  });

  it('are listed at /tools', async () => {
    expect(await (await service.request('/tools')).text()).toContain(`href="${PATH}"`);
  });
});
