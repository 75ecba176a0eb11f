import { mkdtempSync, openSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { localFile, RequestError, Spool } from '../../../client/src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'spool-uploads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Answer = (call: { method: string; path: string; body: unknown }) => Response | Promise<Response>;

/** A client whose requests are answered here. */
function spoolWith(answer: Answer) {
  const calls: string[] = [];
  const bodies: unknown[] = [];
  const fetchHere = async (input: string | URL | Request, { method = 'GET', body }: RequestInit = {}) => {
    const { pathname } = new URL(String(input));
    const read = typeof body === 'string' ? JSON.parse(body) : body;
    calls.push(`${method} ${pathname}`);
    bodies.push(read);
    return answer({ method, path: pathname, body: read });
  };
  const options = { baseUrl: 'https://spool.example.com', apiKey: 'key', retries: 0 };
  return { calls, bodies, spool: new Spool({ ...options, fetch: fetchHere as typeof fetch }) };
}

describe('a file larger than 4 GiB', () => {
  const size = 4_500_000_000;
  const path = join(folder, 'large.mp4');
  const file = openSync(path, 'w');
  truncateSync(path, size);
  writeSync(file, 'near the end', size - 100);

  it('is announced with its whole size', async () => {
    const { spool, bodies } = spoolWith(() => new Response('{}', { status: 422 }));
    await expect(spool.uploads.create(localFile(path))).rejects.toThrow(RequestError);
    expect(bodies).toEqual([{ file_name: 'large.mp4', size_bytes: size }]);
  });

  it('is sent with the right bytes beyond 4 GiB', async () => {
    const content = await localFile(path).open();
    const part = await content.slice(size - 100, size - 80);
    expect(await part.text()).toBe('near the end\0\0\0\0\0\0\0\0');
  });

  it('that becomes shorter while it is sent is refused', async () => {
    const content = await localFile(path).open();
    truncateSync(path, size - 90);
    await expect(Promise.resolve(content.slice(size - 100, size))).rejects.toThrow(
      `${path} has become shorter while it was sent.`,
    );
  });
});
