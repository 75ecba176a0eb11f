import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { makeTools } from '../../scripts/assets/tools.ts';
import { makeSoundFiles } from '../fixtures/sound-files.ts';
import { type Service, sleep, startService } from '../harness.ts';

const PATH = '/tools/mp4-to-mp3';
const chromiumFlags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  // An address without HTTPS that is not of this machine, as browsers see it.
  '--host-resolver-rules=MAP converter.test 127.0.0.1',
];

/** The service with the converter, files for it, and a browser. */
export interface ConverterStand {
  service: Service;
  browser: Browser;
  origin: string;
  directory: string;
  /** The path of one of test/fixtures/sound-files.ts. */
  file(name: string): string;
  close(): Promise<void>;
}

export async function startConverterStand(executablePath: string): Promise<ConverterStand> {
  const directory = await mkdtemp(join(tmpdir(), 'spool-mp3-'));
  const [file] = await Promise.all([makeSoundFiles(directory), makeTools()]);
  let origin = '';
  const service = await startService(async (url) => {
    origin = `http://localhost:${url.port}`;
    return { TRANSCODER_URL: 'http://127.0.0.1:9', PUBLIC_URL: origin };
  });
  const browser = await chromium.launch({ executablePath, args: chromiumFlags });
  return {
    ...{ service, browser, origin, directory, file },
    async close() {
      await browser.close();
      await service.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export interface Converter {
  page: Page;
  /** Addresses that the page has asked for since it was loaded. */
  requests: string[];
  complaints: string[];
  add(...paths: string[]): Promise<void>;
  row(path: string): Locator;
  /** Waits until every file has been looked at or converted. @returns what the list says of each, by its name */
  settled(seconds?: number): Promise<Record<string, string>>;
  /** Presses Convert, and waits. */
  convert(seconds?: number): Promise<Record<string, string>>;
  /** Presses a button that saves, and gives the file. */
  saved(button: Locator): Promise<{ name: string; bytes: Buffer }>;
  close(): Promise<void>;
}

/** Opens the page of the converter. */
export async function openConverter(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<Converter> {
  const context = await browser.newContext({ acceptDownloads: true, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(origin + PATH);
  await page.locator('#tool').waitFor();
  const requests: string[] = [];
  // Addresses of blobs are in the memory of the page.
  page.on('request', (request) => {
    if (!request.url().startsWith('blob:')) requests.push(new URL(request.url()).pathname);
  });

  const row = (path: string) =>
    page
      .locator('#files > li')
      .filter({ has: page.getByRole('heading', { name: basename(path), exact: true }) });
  const states = async () => {
    const entries = await page
      .locator('#files > li')
      .evaluateAll((items) =>
        items.map((item) => [
          item.querySelector('h3')?.textContent ?? '',
          item.querySelector('[data-part="state"]')?.textContent ?? '',
        ]),
      );
    return Object.fromEntries(entries) as Record<string, string>;
  };
  const settled = async (seconds = 60) => {
    const deadline = Date.now() + seconds * 1000;
    for (;;) {
      const now = await states();
      if (Object.values(now).every((state) => /^(Ready|Done|Not|Canceled)/.test(state))) return now;
      if (Date.now() > deadline) throw new Error(`still working: ${JSON.stringify(now)}`);
      await sleep(100);
    }
  };
  return {
    page,
    requests,
    complaints,
    row,
    settled,
    async add(...paths) {
      await page.setInputFiles('#choose', paths);
      await settled();
    },
    async convert(seconds) {
      await page.getByRole('button', { name: 'Convert', exact: true }).click();
      return settled(seconds);
    },
    async saved(button) {
      const coming = page.waitForEvent('download');
      await button.click();
      const download = await coming;
      return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
    },
    close: () => context.close(),
  };
}

/** Unfolds the options of a file of the list. */
export const openOptions = (converter: Converter, path: string) =>
  converter.row(path).getByText('Options').click();

/** Saves the MP3 of a file of the list. @returns where it is saved */
export async function savedAs(converter: Converter, source: string, path: string): Promise<string> {
  const { bytes } = await converter.saved(converter.row(source).getByRole('button', { name: /^Save/ }));
  await writeFile(path, bytes);
  return path;
}
