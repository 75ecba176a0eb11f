import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Job, Result } from '../../schema/task/wire.ts';
import { chromiumPath } from '../browser/player.ts';
import { fixtures } from '../fixtures/make.ts';
import { type Service, startService } from '../harness.ts';
import { keepOutOfLogs } from '../log-canaries.ts';
import { sampled } from '../sampled.ts';
import { rows } from '../worker/pages/rows.ts';
import { writeTask } from '../worker/pages/task-rows.ts';
import { type StandIn, startStandIn } from '../worker/stand-in.ts';
import { type Chromium, overflows, signUp, startChromium } from './chromium.ts';

let service: Service;
let transcoder: StandIn;
let browser: Chromium;
let origin: string;

interface Bucket {
  put(key: string, value: Uint8Array): Promise<unknown>;
}

beforeAll(async () => {
  if (!chromiumPath) return;
  transcoder = await startStandIn();
  service = await startService(async (url) => {
    origin = `http://localhost:${url.port}`;
    return {
      ...{ TRANSCODER_URL: transcoder.origin, CALLBACK_URL: url.origin, MAIL: 'outbox', SIGN_UP: 'trial' },
      ...{ PUBLIC_URL: origin, SPOOL_DEV_ORIGINS: origin },
    };
  });
  await put('samples/sample.mp4', 'plain.mp4');
  browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
  await transcoder?.close();
});

/** Puts a fixture into the bucket. @returns its bytes */
async function put(key: string, fixture: string): Promise<Buffer> {
  const { FILES } = (await service.bindings()) as unknown as { FILES: Bucket };
  const content = readFileSync(join(fixtures, fixture));
  await FILES.put(key, content);
  return content;
}

async function resultWith(
  fixture: string,
  media_type: string,
  role = 'main',
  prefix = `t/${crypto.randomUUID()}/`,
): Promise<Result> {
  const key = prefix + fixture;
  const content = await put(key, fixture);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const file = { role, key, file_name: fixture, media_type, file_size: content.length, sha256 };
  const facts = { duration: 6, width: null, height: null, fps: null, data: {}, warnings: [] };
  return { files: [file], ...facts, time_map: [{ source: 0, in: [1.5, 6.5], out: [0, 5] }] };
}

const resultOf = ({ output_prefix }: Job) => resultWith('plain.mp4', 'video/mp4', 'video', output_prefix);

/** Waits until an expression of the page is true; its policy forbids `waitForFunction`. */
const becomes = (page: Page, expression: string) =>
  expect.poll(() => page.evaluate<boolean>(expression), { timeout: 20_000 }).toBe(true);

/** Waits until the first player of the page has a picture and a length. */
const plays = (page: Page) =>
  becomes(
    page,
    "(({ videoWidth, duration }) => videoWidth > 0 && duration > 1)(document.querySelector('video') ?? {})",
  );

const looks = [
  {
    status: 'failed',
    stage: 'fetching',
    metadata: { order: 'a-rather-long-value-without-any-space'.repeat(4) },
  },
  { status: 'processing', stage: 'rendering', progressPercent: 42 },
] as const;

describe.skipIf(!chromiumPath)('a person with a browser (needs Chromium)', () => {
  it('makes a key, pastes a line, and sees the result appear by itself', async () => {
    const page = await browser.open();
    await signUp(page, service, origin, 'first@example.com');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const codes = page.locator('pre code');
    keepOutOfLogs((await codes.first().textContent()) ?? '');
    const { stdout } = await promisify(execFile)('sh', ['-c', (await codes.nth(1).textContent()) ?? '']);
    const { id } = JSON.parse(stdout) as { id: string };
    const job = await transcoder.jobOf(id);
    await transcoder.report(job, {
      ...{ type: 'progress', stage: 'rendering', progress_percent: 50, eta_seconds: 3 },
    });
    await page.getByText('50 %, about 3 s left').waitFor();
    await transcoder.report(job, { type: 'completed', result: await resultOf(job) });
    await plays(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download plain.mp4' }).click(),
    ]);
    expect(readFileSync(await download.path())).toEqual(readFileSync(join(fixtures, 'plain.mp4')));
    await browser.leave(page);
  });

  it('watches a task over its stages to the result, without a click', async () => {
    const page = await browser.open();
    const account = await signUp(page, service, origin, 'watch@example.com');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const key = (await page.locator('pre code').first().textContent()) ?? '';
    keepOutOfLogs(key);
    const { id } = await service.submit(
      '/cut',
      { video_url: `${origin}/samples/sample.mp4`, duration: 5 },
      key,
    );
    const job = await transcoder.jobOf(id);
    await page.goto(`${origin}${account}/tasks/${id}`);
    await transcoder.report(job, {
      ...{ type: 'progress', stage: 'analyzing', progress_percent: 20, eta_seconds: 9 },
    });
    await page.getByText('20 %, about 9 s left').waitFor();
    await page.getByText('Running: analyzing').waitFor();
    expect(await page.locator('[aria-current=step]').getAttribute('data-stage')).toBe('analyzing');
    await transcoder.report(job, { type: 'completed', result: await resultOf(job) });
    await page.getByRole('heading', { name: 'Result' }).waitFor();
    await plays(page);
    await page.getByRole('link', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete the task' }).click();
    await page.getByText('No tasks yet').waitFor();
    await browser.leave(page);
  });

  it('keeps the place in a preview, and the focus, while Home shows what runs', async () => {
    const page = await browser.open();
    const account = await signUp(page, service, origin, 'preview@example.com');
    const own = account.slice('/app/'.length);
    const before = { status: 'processing', stage: 'rendering', createdAt: Date.now() - 5000 } as const;
    const running = await writeTask(service, own, { ...before, progressPercent: 42 });
    await writeTask(service, own, { result: await resultWith('plain.mp4', 'video/mp4') });
    await page.goto(`${origin}${account}/home`);
    await plays(page);
    const place = "document.querySelector('video').currentTime";
    await page.evaluate(`${place} = 2`);
    await page.locator(`a[href$="${running}"]`).first().focus();
    await rows(service, 'update tasks set progress_percent = 43 where id = ?', running);
    await page.getByText('43 %').waitFor();
    expect(await page.evaluate(place)).toBe(2);
    expect(await page.locator(`a[href$="${running}"]:focus`).count()).toBe(1);
    await browser.leave(page);
  });

  it('sees the waveform of a sound, and the picture of a frame', async () => {
    const page = await browser.open();
    const account = await signUp(page, service, origin, 'media@example.com');
    const sound = await writeTask(service, account.slice('/app/'.length), {
      ...{ operation: 'separate', result: await resultWith('sound.mp3', 'audio/mpeg') },
    });
    await page.goto(`${origin}${account}/tasks/${sound}`);
    await page.locator('canvas.waveform').waitFor();
    const drawn = await page.evaluate(
      "(() => { const canvas = document.querySelector('canvas'); const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height); return data.filter((value, index) => index % 4 === 3 && value > 0).length; })()",
    );
    expect(drawn).toBeGreaterThan(400);
    const frame = await writeTask(service, account.slice('/app/'.length), {
      ...{ operation: 'frame', result: await resultWith('still.png', 'image/png') },
    });
    await page.goto(`${origin}${account}/tasks/${frame}`);
    await becomes(page, "document.querySelector('.shown-file img').naturalWidth > 0");
    await browser.leave(page);
  });

  it.each(sampled(['light', 'dark'] as const, 2, 0))(
    'sees every page whole at a width of 360 px, %s',
    async (colorScheme) => {
      for (const javaScriptEnabled of [true, false]) {
        const page = await browser.open({
          viewport: { width: 360, height: 740 },
          colorScheme,
          javaScriptEnabled,
        });
        const account = await signUp(
          page,
          service,
          origin,
          `narrow-${colorScheme}-${javaScriptEnabled}@example.com`,
        );
        await page.waitForLoadState('load');
        expect(await overflows(page), 'an empty home').toBe(false);
        const ids = [
          await writeTask(service, account.slice('/app/'.length), {
            result: await resultWith('plain.mp4', 'video/mp4'),
          }),
          ...(await Promise.all(
            looks.map((look) => writeTask(service, account.slice('/app/'.length), look)),
          )),
        ];
        for (const path of ['home', 'tasks', ...ids.map((id) => `tasks/${id}`), `tasks/${ids[0]}/delete`]) {
          await page.goto(`${origin}${account}/${path}`);
          expect([path, await overflows(page)]).toEqual([path, false]);
        }
        await browser.leave(page);
      }
    },
  );

  it('sees no error in the console, and no page asks for what its policy refuses', () => {
    expect(browser.complaints).toEqual([]);
  });
});
