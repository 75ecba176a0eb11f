import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SINGLE_PUT_BYTES } from '../../schema/api/upload.ts';
import { chromiumPath } from '../browser/player.ts';
import { type Service, startService } from '../harness.ts';
import { Browser, signIn } from '../worker/pages/browser.ts';
import { type StandIn, startStandIn } from '../worker/stand-in.ts';
import { type Chromium, startChromium, violations } from './chromium.ts';

let service: Service;
let transcoder: StandIn;
let browser: Chromium;
let origin: string;
let page: Page;

const mp4 = (length: number) => {
  const bytes = Buffer.alloc(length, 1);
  bytes.write('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1');
  return bytes;
};

beforeAll(async () => {
  if (!chromiumPath) return;
  transcoder = await startStandIn();
  service = await startService(async (url) => {
    origin = `http://localhost:${url.port}`;
    return {
      TRANSCODER_URL: transcoder.origin,
      MAIL: 'outbox',
      SIGN_UP: 'trial',
      PUBLIC_URL: origin,
      S3_ENDPOINT: `${origin}/cdn-cgi/local/r2/s3`,
    };
  });
  const visitor = new Browser(service, origin);
  const { path } = await signIn(service, visitor, 'sender@example.com');
  const account = path.split('/')[2] ?? '';
  const { DB } = await service.bindings();
  await DB.prepare("update accounts set plan = 'elite' where id = ?").bind(account).run();
  browser = await startChromium((message) => /status of 4\d\d/.test(message.text()));
  page = await browser.open({ viewport: { width: 1280, height: 900 } });
  await page
    .context()
    .addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url: origin })));
  await page.goto(`${origin}/app/${account}/playground/cut`);
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
  await transcoder?.close();
});

const field = () => page.getByLabel('video_url', { exact: true });
const choose = (name: string, buffer: Buffer) =>
  page
    .getByLabel('File for video_url', { exact: true })
    .setInputFiles({ name, mimeType: 'video/mp4', buffer });

async function stored(source: string) {
  const { FILES } = await service.bindings();
  const key = `u/${source.replace('upload:', '')}/file`;
  return (await FILES.list({ prefix: key })).objects as unknown as { size: number }[];
}

describe.skipIf(!chromiumPath)('a file in the playground (needs Chromium)', () => {
  it('goes to the storage and becomes the source of the request, which can be run', async () => {
    expect(await violations(page)).toEqual([]);
    await choose('my talk.mp4', mp4(300_000));
    await page.getByText('my talk.mp4 is stored.').waitFor();
    const source = await field().inputValue();
    expect(source).toMatch(/^upload:upl_\w{26}$/);
    expect((await stored(source)).map(({ size }) => size)).toEqual([300_000]);
    expect(JSON.parse(await page.getByLabel('Request', { exact: true }).inputValue())).toEqual({
      video_url: source,
    });
    await page.getByLabel('duration', { exact: true }).first().fill('1');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL(/\?task=task_/);
    const job = await transcoder.jobOf(new URL(page.url()).searchParams.get('task') ?? '');
    expect(job.stored_sources).toEqual({ [source]: `u/${source.replace('upload:', '')}/file` });
  });

  it('can be dropped on the field', async () => {
    const before = await field().inputValue();
    const content = mp4(5000).toString('base64');
    const data = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob('${content}'), (char) => char.charCodeAt(0));
      data.items.add(new File([bytes], 'dropped.mp4', { type: 'video/mp4' }));
      return data;
    })()`);
    await field().dispatchEvent('drop', { dataTransfer: data });
    await page.getByText('dropped.mp4 is stored.').waitFor();
    expect(await field().inputValue()).not.toBe(before);
  });

  it('shows its progress, and can be canceled', async () => {
    const before = await field().inputValue();
    await page.route(/cdn-cgi/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await route.continue().catch(() => {});
    });
    await choose('slow.mp4', mp4(400_000));
    await page.getByText('Sending slow.mp4').waitFor();
    expect(await page.getByLabel('Progress of video_url').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Run' }).last().click();
    await page.getByText('A file is still being sent.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Sending slow.mp4').waitFor({ state: 'hidden' });
    await page.unroute(/cdn-cgi/);
    expect(await field().inputValue()).toBe(before);
  });

  it('survives a network that fails for a moment, and is not left without a question', async () => {
    const { complaints } = browser;
    const before = complaints.length;
    const failed = new Set<string>();
    let questions = 0;
    page.on('dialog', async (dialog) => {
      questions++;
      await dialog.dismiss();
    });
    const content = mp4(6000);
    // The first request to each address fails: to make the upload, to store it, to complete it. The file arrives all the same.
    await page.route(/cdn-cgi|\/uploads/, async (route) => {
      const { pathname } = new URL(route.request().url());
      const isFirst = !failed.has(pathname);
      failed.add(pathname);
      if (isFirst && pathname.includes('cdn-cgi')) {
        await page.evaluate('location.reload()');
        expect((await route.fetch({ postData: content })).status()).toBe(200);
      }
      await (isFirst ? route.abort() : route.continue());
    });
    await choose('hiccup.mp4', content);
    await page.getByText('hiccup.mp4 is stored.').waitFor();
    await page.unroute(/cdn-cgi|\/uploads/);
    expect(failed.size).toBe(3);
    expect(questions).toBe(1);
    page.removeAllListeners('dialog');
    expect(complaints.splice(before)).toEqual(Array(3).fill(expect.stringContaining('net::ERR_FAILED')));
  });

  it('reaches its place in a list that changes while it is sent', async () => {
    const back = page.url();
    await page.goto(back.replace(/playground\/.*/, 'playground/merge_urls'));
    await page.route(/cdn-cgi/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 3000));
      await route.continue().catch(() => {});
    });
    await page.getByLabel('Set urls', { exact: true }).check();
    await page.getByLabel('urls 1', { exact: true }).selectOption('URL');
    const first = page.getByLabel(/^File for /).first();
    await first.setInputFiles({ name: 'first.mp4', mimeType: 'video/mp4', buffer: mp4(50_000) });
    await page.getByText('Sending first.mp4').waitFor();
    await page.getByRole('button', { name: 'Remove urls 1' }).click();
    await page.getByText('Wait until the file is sent, or cancel it.').waitFor();
    await page.getByRole('button', { name: 'Add to urls' }).click();
    await page.getByText('first.mp4 is stored.').waitFor();
    // Also where the item is an object.
    await page.getByLabel('urls 2', { exact: true }).selectOption({ index: 2 });
    await page
      .getByLabel(/^File for /)
      .nth(1)
      .setInputFiles({ name: 'second.mp4', mimeType: 'video/mp4', buffer: mp4(50_000) });
    await page.getByText('Sending second.mp4').waitFor();
    const add = page.getByRole('button', { name: 'Add to urls' });
    await add.click();
    await page.getByText('second.mp4 is stored.').waitFor();
    await page.unroute(/cdn-cgi/);
    const request = page.getByLabel('Request', { exact: true });
    const { urls } = JSON.parse(await request.inputValue());
    expect(JSON.stringify(urls[0])).toMatch(/upload:upl_\w{26}/);
    expect(urls[1].url).toMatch(/^upload:upl_\w{26}$/);
    await page.goto(back);
  });

  it('is no longer said to be stored where its source is another one', async () => {
    await choose('said.mp4', mp4(3000));
    await page.getByText('said.mp4 is stored.').waitFor();
    await field().press('End');
    await page.keyboard.type('x');
    expect(await page.getByText('said.mp4 is stored.').isVisible()).toBe(false);
    await choose('said again.mp4', mp4(3000));
    await page.getByText('said again.mp4 is stored.').waitFor();
    const request = page.getByLabel('Request', { exact: true });
    const { video_url: source } = JSON.parse(await request.inputValue());
    await request.fill(JSON.stringify({ video_url: source, fade_in: 1 }));
    expect(await page.getByText('said again.mp4 is stored.').isVisible()).toBe(true);
    await request.fill(JSON.stringify({ video_url: 'https://media.example.com/other.mp4' }));
    expect(await page.getByText('said again.mp4 is stored.').isVisible()).toBe(false);
  });

  it('over 100 MB goes in parts', async () => {
    const size = SINGLE_PUT_BYTES + 1;
    // Playwright sends at most 50 MB itself.
    await page.evaluate(`(() => {
      const bytes = new Uint8Array(${size});
      bytes.set(Array.from('\\0\\0\\0\\x18ftypmp42\\0\\0\\0\\0mp42isom', (char) => char.charCodeAt(0)));
      const data = new DataTransfer();
      data.items.add(new File([bytes], 'large.mp4', { type: 'video/mp4' }));
      const chosen = document.querySelector('[aria-label="File for video_url"]');
      chosen.files = data.files;
      chosen.dispatchEvent(new Event('change'));
    })()`);
    await page.getByText('large.mp4 is stored.').waitFor({ timeout: 120_000 });
    expect((await stored(await field().inputValue())).map((object) => object.size)).toEqual([size]);
  });

  it('that is not media is refused at its field', async () => {
    await choose('page.mp4', Buffer.from('<!doctype html><title>x</title>'));
    await page.getByText('The file is a web page (HTML).').waitFor();
    await choose('empty.mp4', Buffer.alloc(0));
    await page.getByText('/size_bytes must be').waitFor();
  });

  it('causes no complaint of the browser, whose policy lets the page reach the storage and nothing else', async () => {
    expect(browser.complaints).toEqual([]);
    const response = await page.goto(page.url());
    const [, targets] =
      /connect-src ([^;]*)/.exec(response?.headers()['content-security-policy'] ?? '') ?? [];
    expect(targets).toBe(`'self' ${origin}`);
  });
});
