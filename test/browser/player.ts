import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { picture } from '../fixtures/drawn-barcode.ts';

const places = [process.env.CHROMIUM ?? '', '/usr/bin/chromium', '/usr/bin/google-chrome'];

/** The browser at hand; undefined where there is none. */
export const chromiumPath = places.find((path) => path !== '' && existsSync(path));

export interface Played {
  /** The frames that were presented: the time that the browser tells, when each stands in the media, the number it shows. */
  frames: { mediaTime: number; time: number; number: number }[];
  /** What interrupted it. */
  events: string[];
  end: number;
}

export interface Player {
  open(path: string): Promise<{ duration: number; width: number; height: number }>;
  numbersAt(times: readonly number[]): Promise<{ numbers: number[]; events: string[] }>;
  playThrough(rate: number): Promise<Played>;
  close(): Promise<void>;
}

const page = `<!doctype html><meta charset="utf-8"><title>Player</title>
<video muted playsinline preload="auto"></video><canvas width="${picture.width}" height="${picture.height}"></canvas>
<script src="/page.js"></script>`;

const types: Record<string, string> = { mp4: 'video/mp4', webm: 'video/webm', mov: 'video/mp4' };

/** A video element of a real browser, with files served by ranges over loopback. */
export async function startPlayer(executablePath: string): Promise<Player> {
  const files = new Map<string, string>();
  const server = createServer((request, response) => {
    const url = request.url ?? '/';
    const file = files.get(url);
    if (url === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    if (url === '/page.js') {
      const script = readFileSync(new URL('player-page.js', import.meta.url));
      return response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    }
    if (!file) return response.writeHead(404).end();
    const { size } = statSync(file);
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const [start, end] = [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)];
    response.writeHead(request.headers.range ? 206 : 200, {
      'content-type': types[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      'accept-ranges': 'bytes',
      'content-length': end - start + 1,
      ...(request.headers.range ? { 'content-range': `bytes ${start}-${end}/${size}` } : {}),
    });
    createReadStream(file, { start, end }).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await chromium.launch({
    executablePath,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
      ...['--autoplay-policy=no-user-gesture-required', '--mute-audio'],
    ],
  });
  const tab = await browser.newPage();
  await tab.goto(origin);
  const call = (name: string, ...given: unknown[]) =>
    tab.evaluate(`${name}(${given.map((one) => JSON.stringify(one)).join(', ')})`);
  const { x, y, cell } = picture;
  return {
    async open(path) {
      const address = `/${files.size}-${path.split('/').at(-1)}`;
      files.set(address, path);
      return (await call('openMedia', address)) as Awaited<ReturnType<Player['open']>>;
    },
    numbersAt: async (times) =>
      (await call('numbersAt', times, { x, y, cell })) as Awaited<ReturnType<Player['numbersAt']>>,
    playThrough: async (rate) => (await call('playThrough', rate, { x, y, cell })) as Played,
    async close() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
