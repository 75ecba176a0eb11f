import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as client from '../../../client/src/index.ts';
import { chromiumPath } from '../../browser/player.ts';
import { descendantsOf } from '../../descendants-of.ts';
import { fixtures } from '../../fixtures/make.ts';
import { everyCase } from '../../sampled.ts';
import { type Chromium, startChromium } from '../chromium.ts';
import { type Stack, startStack } from '../stack.ts';
import { type LargeStore, startLargeStore } from './large-store.ts';

const SIZE = (everyCase ? 2 : 1) * 1024 ** 3;
/** Far below the size of the file; the rest is what runtimes need for parts under way. */
const MOST_GROWTH = 600 * 1024 ** 2;
const entry = join(import.meta.dirname, '../../../client/src/index.ts');

let chromium: Chromium | undefined;
/** Only called where there is Chromium. */
const opened = () => (chromium as Chromium).open();
const html =
  '<!doctype html><title>Client</title><link rel="icon" href="data:,"><input type="file"><script type="module">window.spool = await import("/client.js")</script>';

/** In the page. */
declare const window: { spool: typeof client };
declare const document: { querySelector(selector: string): { files: Blob[] } };

let script: string;
let folder: string;
let large: string;

beforeAll(async () => {
  const { outputFiles } = await build({
    ...{ entryPoints: [entry], bundle: true, format: 'esm', target: 'es2022', write: false },
  });
  script = outputFiles[0]?.text ?? '';
  if (chromiumPath) chromium = await startChromium();
  folder = mkdtempSync(join(tmpdir(), 'spool-large-'));
  large = join(folder, 'large.mp4');
  writeFileSync(large, '');
  truncateSync(large, SIZE);
});
afterAll(async () => {
  await chromium?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!chromiumPath)('in Chromium (needs it)', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack(fixtures);
  });
  afterAll(() => stack?.close());

  /** A page at the origin of the service: pages of other sites may not use a key. */
  async function pageOfService(): Promise<Page> {
    const page = await opened();
    const { origin } = stack.service.url;
    await page.route(`${origin}/client-page`, (route) =>
      route.fulfill({ contentType: 'text/html', body: html }),
    );
    await page.route(`${origin}/client.js`, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: script }),
    );
    await page.goto(`${origin}/client-page`);
    await page.waitForFunction(() => 'spool' in window);
    return page;
  }

  it('the client uploads a chosen file, cuts it with progress, and has the result as a Blob and a stream', async () => {
    const page = await pageOfService();
    await page.locator('input').setInputFiles(join(fixtures, 'plain.mp4'));
    const found = await page.evaluate(
      async ({ apiKey }) => {
        const { Spool } = window.spool;
        const [video_url] = document.querySelector('input').files as [Blob];
        const statuses: string[] = [];
        const out = await new Spool({ baseUrl: '', apiKey })
          .cut({ video_url, start: 1, duration: 1 })
          .wait({ onProgress: ({ status }) => statuses.push(status) });
        const blob = await out.blob();
        let streamed = 0;
        await out.download(
          new WritableStream({
            write(chunk) {
              streamed += chunk.length;
            },
          }),
        );
        return { statuses, type: blob.type, size: blob.size, streamed, expected: out.output.file_size };
      },
      { apiKey: stack.service.accounts.elite.key },
    );
    expect(found).toMatchObject({ type: 'video/mp4', size: found.expected, streamed: found.expected });
    expect(found.statuses[0]).toBe('uploading');
    expect(found.statuses.at(-1)).toBe('completed');
    expect(chromium?.complaints).toEqual([]);
  });

  it('an aborted wait ends at once, and errors are of their class', async () => {
    const page = await pageOfService();
    const found = await page.evaluate(
      async ({ apiKey, video_url }) => {
        const { Spool, AuthenticationError } = window.spool;
        const spool = new Spool({ baseUrl: '', apiKey });
        const task = spool.transcode({ video_url, height: 360 });
        await task;
        const aborted = await task
          .wait({ signal: AbortSignal.timeout(500) })
          .catch((error: Error) => error.name);
        await task.delete();
        const refused = await new Spool({ baseUrl: '', apiKey: 'wrong' })
          .account()
          .catch((error: unknown) => error);
        return { aborted, isTyped: refused instanceof AuthenticationError };
      },
      { apiKey: stack.service.accounts.elite.key, video_url: stack.media('pauses.mp4') },
    );
    expect(found).toEqual({ aborted: 'TimeoutError', isTyped: true });
  });
});

describe(`${SIZE / 1024 ** 3} GB`, () => {
  let store: LargeStore;
  let sha256: string;

  beforeAll(async () => {
    const hash = createHash('sha256');
    const zeros = Buffer.alloc(1 << 24);
    for (let at = 0; at < SIZE; at += zeros.length) hash.update(zeros);
    sha256 = hash.digest('hex');
    store = await startLargeStore(SIZE, sha256, html, script);
  });
  afterAll(() => store?.close());

  it('go up and come down in Node while its memory does not grow', async () => {
    const target = join(folder, 'down.mp4');
    const program = `
      import { localFile, Spool } from ${JSON.stringify(entry)};
      const spool = new Spool({ baseUrl: ${JSON.stringify(store.url)}, apiKey: 'key' });
      await spool.account();
      const before = process.memoryUsage().rss;
      let most = before;
      const watch = setInterval(() => { most = Math.max(most, process.memoryUsage().rss); }, 50);
      await spool.uploads.create(localFile(${JSON.stringify(large)}));
      const up = most - before;
      most = before;
      await spool.tasks.download('task_1', ${JSON.stringify(target)});
      clearInterval(watch);
      console.log(JSON.stringify({ up, down: most - before }));`;
    const before = store.received();
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    for await (const chunk of child.stdout) output += chunk;
    const { up, down } = JSON.parse(output);
    console.log(
      `memory of Node grew by ${Math.round(up / 1e6)} MB (up), ${Math.round(down / 1e6)} MB (down)`,
    );
    expect(store.received() - before).toBe(SIZE);
    expect(statSync(target).size).toBe(SIZE);
    rmSync(target);
    expect(up).toBeLessThan(MOST_GROWTH);
    expect(down).toBeLessThan(MOST_GROWTH);
  });

  it.skipIf(!chromiumPath)(
    'go up and come down in Chromium (needs it) while the memory of its page does not grow',
    async () => {
      const page = await opened();
      await page.goto(store.url);
      await page.waitForFunction(() => 'spool' in window);
      await page.locator('input').setInputFiles(large);
      const renderers = () => memoryOf('--type=renderer');
      const before = renderers();
      const received = store.received();
      let most = before;
      const watch = setInterval(() => {
        most = Math.max(most, renderers());
      }, 200);
      const streamed = await page.evaluate(async () => {
        const { Spool } = window.spool;
        const spool = new Spool({ baseUrl: '', apiKey: 'key' });
        const [file] = document.querySelector('input').files as [Blob];
        await spool.uploads.create(file);
        let bytes = 0;
        await spool.tasks.download(
          'task_1',
          new WritableStream({
            write(chunk) {
              bytes += chunk.length;
            },
          }),
        );
        return bytes;
      });
      clearInterval(watch);
      console.log(`memory of the page grew by ${Math.round((most - before) / 1e6)} MB`);
      expect(store.received() - received).toBe(SIZE);
      expect(streamed).toBe(SIZE);
      expect(most - before).toBeLessThan(MOST_GROWTH);
    },
  );

  /** Resident memory of the processes below this one whose command line has this text. */
  function memoryOf(text: string): number {
    return descendantsOf(process.pid)
      .filter((pid) => readProc(pid, 'cmdline').includes(text))
      .reduce((sum, pid) => sum + Number(/VmRSS:\s+(\d+)/.exec(readProc(pid, 'status'))?.[1] ?? 0) * 1024, 0);
  }

  /** Empty for a process that has ended. */
  function readProc(pid: number, file: string): string {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      return '';
    }
  }
});
