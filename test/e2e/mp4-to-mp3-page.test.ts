import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../transcoder/ffmpeg/run.ts';
import {
  type ConverterStand,
  openConverter,
  openOptions,
  savedAs,
  startConverterStand,
} from '../browser/converter.ts';
import { chromiumPath } from '../browser/player.ts';
import { fixture, programs } from '../fixtures/make.ts';
import { namesIn } from '../fixtures/saved-files.ts';
import { type Service, sleep } from '../harness.ts';
import { sampled, thorough } from '../sampled.ts';

const SHOTS = process.env.SCREENSHOTS;

let stand: ConverterStand;
let service: Service;
let browser: Browser;
let origin: string;
let directory: string;
let file: ConverterStand['file'];

beforeAll(async () => {
  if (!chromiumPath) return;
  stand = await startConverterStand(chromiumPath);
  ({ service, browser, origin, directory, file } = stand);
});
afterAll(() => stand?.close());

describe.skipIf(!chromiumPath)('the page of the converter (needs Chromium)', () => {
  it('says why it cannot convert a file and what to do, and converts the others', async () => {
    const converter = await openConverter(browser, origin);
    const refused = {
      [fixture('no-sound.mp4')]: 'This file has no sound track.',
      [file('ac3.mp4')]: 'This browser cannot decode the sound of this file (AC-3, Dolby Digital).',
      [file('no-index.mp4')]: 'This file ends before its index, without which no player can open it.',
      [file('empty.mp4')]: 'This file is empty (0 bytes).',
      [file('letter.mp4')]: 'This is not a media file that this page can read.',
      [fixture('sound.mp3')]: 'This file is an MP3 already.',
    };
    const cutOff = fixture('truncated.mp4');
    await converter.add(...Object.keys(refused), cutOff, fixture('sound.ogg'));
    const states = await converter.convert();
    for (const [path, what] of Object.entries(refused)) {
      const failure = converter.row(path).locator('.failure p');
      const [said, next, last] = await failure.allTextContents();
      expect(said).toBe(what);
      expect(next?.length).toBeGreaterThan(20);
      expect(last).toMatch(/^Spool’s API/);
    }
    expect(states['sound.ogg']).toMatch(/^Done/);
    expect(states['truncated.mp4']).toMatch(/^Done.*it was cut off/);
    const { page } = converter;
    expect(await page.locator('#status').textContent()).toBe('2 of 8 converted, 6 not converted.');

    // Canceled, a second conversion leaves what the first one made.
    await page.selectOption('#bitrate', '128');
    await page.evaluate("document.getElementById('convert').click()");
    await page.evaluate("document.getElementById('cancel').click()");
    const again = await converter.settled();
    expect([again['sound.ogg'], again['truncated.mp4']]).toEqual([
      states['sound.ogg'],
      states['truncated.mp4'],
    ]);
    // What is not saved is neither left nor cleared without a question.
    const questions: string[] = [];
    page.on('dialog', async (dialog) => {
      questions.push(dialog.type());
      await dialog.dismiss();
    });
    const clear = page.getByRole('button', { name: 'Clear the list' });
    await clear.click();
    await page.evaluate('location.reload()');
    await expect.poll(() => questions).toEqual(['confirm', 'beforeunload']);
    // Nor while it is converted again. Where that fails, the first result can still be saved.
    const click = (...ids: string[]) =>
      page.evaluate(`for (const id of ${JSON.stringify(ids)}) document.getElementById(id).click()`);
    await click('convert', 'clear', 'cancel');
    expect(questions.splice(2)).toEqual(['confirm']);
    await page.evaluate(
      "window.showDirectoryPicker = async () => ({ getFileHandle: () => Promise.reject(new Error('full')) })",
    );
    await click('folder');
    const sound = converter.row(fixture('sound.ogg'));
    await sound.locator('.failure').waitFor();
    expect((await converter.settled())['sound.ogg']).toBe('Not converted');
    expect(await sound.locator('[data-do="save"]').isVisible()).toBe(true);
    expect(await page.locator('#files > li').count()).toBe(8);
    await page.evaluate('window.showSaveFilePicker = undefined');
    await converter.saved(page.getByRole('button', { name: 'Save all as ZIP' }));
    await clear.click();
    expect(await page.locator('#files > li').count()).toBe(0);
    expect(questions).toHaveLength(2);
    expect(converter.complaints).toEqual([]);
    await converter.close();
  });

  thorough('calls no file cut off whose sound is shorter than its picture, and names layer II', async () => {
    const [short, layer2] = [join(directory, 'short.mkv'), join(directory, 'layer2.ts')];
    const made = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);
    await made('-i', fixture('short-sound.mp4'), '-c', 'copy', short);
    await made('-i', fixture('plain.mp4'), '-t', '2', '-vn', '-c:a', 'mp2', layer2);
    const converter = await openConverter(browser, origin);
    await converter.add(short, layer2);
    const states = await converter.convert();
    expect(states['short.mkv']).toMatch(/^Done/);
    expect(states['short.mkv']).not.toContain('cut off');
    const [said] = await converter.row(layer2).locator('.failure p').allTextContents();
    expect(said).toBe('This browser cannot decode the sound of this file (MPEG layer II).');
    expect(converter.complaints).toEqual([]);
    await converter.close();
  });

  thorough('plays what it made last, and its sliders reach the end', async () => {
    const converter = await openConverter(browser, origin);
    const path = fixture('plain.mp4');
    await converter.add(path);
    await openOptions(converter, path);
    const row = converter.row(path);
    const player = row.locator('audio');
    const sources: (string | null)[] = [];
    for (const [from, to] of [
      ['0', '1'],
      ['1', '2'],
    ] as const) {
      // The end first: neither side may pass the other.
      for (const [field, time] of [
        ['to', to],
        ['from', from],
      ] as const) {
        await row.locator(`[data-field="${field}"]`).fill(time);
        await row.locator(`[data-field="${field}"]`).dispatchEvent('change');
      }
      await converter.convert();
      sources.push(await player.getAttribute('src'));
    }
    expect(new Set(sources).size).toBe(2);
    const slider = row.locator('[data-field="to-slider"]');
    await slider.focus();
    await slider.press('Home');
    await slider.press('End');
    await row.locator('[data-field="from"]').fill('0');
    await row.locator('[data-field="from"]').dispatchEvent('change');
    const states = await converter.convert();
    expect(states['plain.mp4']).toMatch(/^Done: 0:06 /);
    await converter.close();
  });

  it('leads to the documentation in place of a search that its policy would not let it load', async () => {
    const converter = await openConverter(browser, origin);
    await converter.page.keyboard.press('/');
    expect(await converter.page.locator('dialog').count()).toBe(0);
    expect(await converter.page.getByRole('link', { name: 'Search' }).getAttribute('href')).toBe('/docs');
    expect(converter.complaints).toEqual([]);
    await converter.close();
  });

  thorough(
    'saves all as a ZIP under names that differ, and writes into a folder while it converts',
    async () => {
      const converter = await openConverter(browser, origin);
      const { page } = converter;
      await page.evaluate('window.showSaveFilePicker = undefined');
      await converter.add(fixture('sound.ogg'), fixture('sound.flac'));
      await converter.convert();
      const zip = await converter.saved(page.getByRole('button', { name: 'Save all as ZIP' }));
      expect([zip.name, namesIn(zip.bytes)]).toEqual(['mp3.zip', ['sound.mp3', 'sound (2).mp3']]);
      const saved = await savedAs(converter, fixture('sound.flac'), join(directory, 'zipped.mp3'));
      expect(zip.bytes.includes(await readFile(saved))).toBe(true);
      await converter.close();

      const other = await openConverter(browser, origin);
      // The private folder of the page, in place of the dialog, which a test cannot answer.
      await other.page.evaluate('window.showDirectoryPicker = () => navigator.storage.getDirectory()');
      await other.page.evaluate('document.getElementById("folder").hidden = false');
      await other.add(fixture('sound.flac'), fixture('sound.ogg'), fixture('no-sound.mp4'));
      await other.page.getByRole('button', { name: 'Convert into a folder…' }).click();
      await other.row(fixture('sound.flac')).getByText('written to the folder').waitFor();
      const states = await other.settled();
      expect(states['sound.flac']).toMatch(/^Done.*written to the folder/);
      const written = await other.page.evaluate<Record<string, number>>(`(async () => {
      const sizes = {};
      for await (const [name, handle] of await navigator.storage.getDirectory()) sizes[name] = (await handle.getFile()).size;
      return sizes;
    })()`);
      expect(Object.keys(written).sort()).toEqual(['sound (2).mp3', 'sound.mp3']);
      expect(written['sound.mp3']).toBe((await readFile(saved)).length);
      await other.close();
    },
  );

  thorough('cancels one file without the others, and goes on after a sleep', async () => {
    const converter = await openConverter(browser, origin);
    const { page } = converter;
    const [hours, minutes] = [file('two-hours.wav'), file('two-minutes.wav')];
    await converter.add(hours, minutes);
    await page.getByRole('button', { name: 'Convert', exact: true }).click();
    await converter
      .row(hours)
      .getByText(/[1-9] %.* left/)
      .waitFor();
    const session = await page.context().newCDPSession(page);
    await session.send('Page.setWebLifecycleState', { state: 'frozen' });
    await sleep(1500);
    await session.send('Page.setWebLifecycleState', { state: 'active' });
    await converter
      .row(hours)
      .getByRole('button', { name: /^Cancel/ })
      .click();
    const states = await converter.settled();
    expect(states).toMatchObject({
      'two-hours.wav': 'Canceled',
      'two-minutes.wav': expect.stringMatching(/^Done: 2:00/),
    });
    await converter.close();
  });

  it('can send nothing, and works without a network once it was opened', async () => {
    const converter = await openConverter(browser, origin);
    const { page } = converter;
    for (const attempt of [
      "fetch('/')",
      "fetch('https://example.com/', { method: 'POST', body: 'secret', mode: 'no-cors' })",
      "new Promise((_, reject) => { new WebSocket('wss://example.com').onerror = reject; })",
    ]) {
      const outcome = await page.evaluate<string>(
        `(async () => ${attempt})().then(() => 'sent', () => 'refused')`,
      );
      expect([attempt, outcome]).toEqual([attempt, 'refused']);
    }
    const reports = converter.complaints.filter((text) => text.includes('connect-src'));
    expect(reports).toHaveLength(3);
    expect(converter.requests).toEqual([]);

    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    const worker = await service.request('/tools/mp4-to-mp3/service-worker.js');
    const policy = worker.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; connect-src [^'*]+; form-action 'none'; frame-ancestors 'none'$/,
    );
    await page.context().setOffline(true);
    await page.reload();
    await converter.add(fixture('sound.flac'));
    expect(Object.values(await converter.convert())[0]).toMatch(/^Done/);
    await converter.close();
  });

  it('says so where the browser has no WebCodecs, which is so without HTTPS, and converts PCM there', async () => {
    const converter = await openConverter(browser, origin.replace('localhost', 'converter.test'));
    await converter.add(fixture('plain.mp4'), fixture('sound.wav'));
    const states = await converter.convert();
    expect(states).toMatchObject({
      'plain.mp4': 'Not converted',
      'sound.wav': expect.stringMatching(/^Done/),
    });
    const said = await converter.row(fixture('plain.mp4')).locator('.failure').textContent();
    expect(said).toContain('This browser has no WebCodecs');
    await converter.close();
  });

  it.each(sampled(['light', 'dark'] as const, 2))(
    'has no violation of axe and no overflow, %s',
    async (colorScheme) => {
      const converter = await openConverter(browser, origin, { colorScheme });
      const { page } = converter;
      await converter.add(fixture('plain.mp4'), file('ac3.mp4'), file('two-hours.wav'));
      await openOptions(converter, fixture('plain.mp4'));
      await converter
        .row(fixture('plain.mp4'))
        .getByRole('button', { name: /^Convert/ })
        .click();
      await converter.settled();
      await page.evaluate(axe.source);
      for (const width of [360, 768, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
          'axe.run()',
        );
        expect(found.violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
        const overflow = await page.evaluate<number>(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        expect([width, overflow]).toEqual([width, 0]);
        if (SHOTS)
          await page.screenshot({ path: `${SHOTS}/mp4-to-mp3-${colorScheme}-${width}.png`, fullPage: true });
      }
      await converter.close();
    },
  );

  it('is operated by keyboard, takes files that are dropped and pasted, and is readable without script', async () => {
    const converter = await openConverter(browser, origin);
    const { page } = converter;
    for (const [event, property] of [
      ['drop', 'dataTransfer'],
      ['paste', 'clipboardData'],
    ])
      await page.evaluate(`(() => {
        const data = new DataTransfer();
        data.items.add(new File(['no media'], '${event}.mp4'));
        const event = new Event('${event}', { bubbles: true, cancelable: true });
        Object.defineProperty(event, '${property}', { value: data });
        document.body.dispatchEvent(event);
      })()`);
    await converter.settled();
    await converter.add(fixture('sound.flac'));
    expect(Object.keys(await converter.settled())).toEqual(['drop.mp4', 'paste.mp4', 'sound.flac']);
    const main = converter.row(fixture('sound.flac')).getByRole('button', { name: 'Convert sound.flac' });
    await main.focus();
    await page.keyboard.press('Enter');
    expect((await converter.settled())['sound.flac']).toMatch(/^Done/);
    await converter.row(fixture('sound.flac')).getByText('Options').focus();
    await page.keyboard.press('Enter');
    const slider = converter.row(fixture('sound.flac')).getByLabel('Start, by slider');
    await slider.focus();
    await page.keyboard.press('PageUp');
    expect(await slider.getAttribute('aria-valuetext')).not.toBe('0:00');
    await converter.close();

    const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await plain.goto(`${origin}/tools/mp4-to-mp3`);
    expect(await plain.locator('noscript').textContent()).toContain('it needs JavaScript');
    await plain.getByText('audio_only').waitFor();
    await plain.context().close();
  });
});
