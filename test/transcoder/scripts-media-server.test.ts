import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveMedia } from '../../scripts/lib/media-server.mjs';

let folder: string;
let server: { origin: string; close: () => Promise<void> };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-media-'));
  await writeFile(join(folder, 'clip one.mp4'), '0123456789');
  await writeFile(join(folder, 'empty.wav'), '');
  await symlink('/etc/hostname', join(folder, 'link.mp4'));
  server = await serveMedia(folder, 0);
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(server.origin + path, { headers });

/** A request whose path no client has tidied up. */
async function status(path: string): Promise<string> {
  const { port } = new URL(server.origin);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  return (await text(socket)).split(' ')[1] ?? '';
}

describe('npm start -- --media', () => {
  it('serves a file with its type and length', async () => {
    const response = await get('/clip%20one.mp4');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('video/mp4');
    expect(response.headers.get('content-length')).toBe('10');
    expect(await response.text()).toBe('0123456789');
    expect((await get('/empty.wav')).status).toBe(200);
  });

  it.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=5-2', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=0-1,4-5', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
  ])('answers the range %s with %i', async (range, expected, body, contentRange) => {
    const response = await get('/clip%20one.mp4', { range });
    expect(response.status).toBe(expected);
    expect(response.headers.get('content-range')).toBe(contentRange);
    expect(await response.text()).toBe(body);
  });

  it('answers a range only while the file is the one that was read before', async () => {
    const etag = (await get('/clip%20one.mp4')).headers.get('etag') ?? '';
    const range = { range: 'bytes=2-4' };
    expect((await get('/clip%20one.mp4', { ...range, 'if-range': etag })).status).toBe(206);
    expect((await get('/clip%20one.mp4', { ...range, 'if-range': '"another"' })).status).toBe(200);
    expect((await get('/clip%20one.mp4', { ...range, 'if-match': '"another"' })).status).toBe(412);
  });

  it('answers HEAD without a body, and no other method', async () => {
    const head = await fetch(`${server.origin}/clip%20one.mp4`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
    const post = await fetch(`${server.origin}/clip%20one.mp4`, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it.each([
    '/../etc/hostname',
    '/%2e%2e/etc/hostname',
    '/..%2f..%2fetc%2fhostname',
    '/link.mp4',
    '/%00',
    '/%zz',
    '/',
  ])('gives nothing for %s', async (path) => {
    expect(await status(path)).toBe('404');
  });
});
