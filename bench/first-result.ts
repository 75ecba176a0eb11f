import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../scripts/lib/ports.mjs';
import { chromiumPath } from '../test/browser/player.ts';
import { startChromium } from '../test/e2e/chromium.ts';

/**
 * From a clean clone to the first result in the browser, as a newcomer gets there: clicks, fields that are filled in, and seconds. Needs
 * Chromium, and npm with a registry or a warm cache.
 */
if (!chromiumPath) {
  console.log('Chromium is missing.');
  process.exit(1);
}

const root = resolve(import.meta.dirname, '..');
const clone = mkdtempSync(join(tmpdir(), 'spool-clone-'));
const rows: string[][] = [];
let clicks = 0;
const seconds = (from: number) => (performance.now() - from) / 1000;

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const [before, began] = [clicks, performance.now()];
  const value = await work();
  rows.push([name, String(clicks - before), seconds(began).toFixed(1)]);
  return value;
}

const began = performance.now();
await step('`git clone`', async () => execFileSync('git', ['clone', '-q', root, clone]));
await step('`npm ci`', async () =>
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: clone, stdio: 'ignore' }),
);
const service = spawn('npm', ['start'], {
  cwd: clone,
  detached: true,
  env: { ...process.env, PORT: String(await freePort()) },
  stdio: ['ignore', 'ignore', 'inherit'],
});
const ended = once(service, 'exit');
const browser = await startChromium();
try {
  const page = await step('`npm start`, until it prints the link to the dashboard', async () => {
    const file = join(clone, '.spool/dev.json');
    while (!existsSync(file)) {
      if (service.exitCode !== null) throw new Error('npm start has ended');
      await new Promise((done) => setTimeout(done, 100));
    }
    const { dashboard_url: url } = JSON.parse(readFileSync(file, 'utf8')) as { dashboard_url: string };
    const opened = await browser.open();
    await opened.goto(url);
    return opened;
  });
  const click = async (name: string) => {
    clicks += 1;
    await page.getByRole('button', { name }).click();
  };
  await step('the link, to Home', async () => {
    clicks += 1;
    await click('Sign in');
    // The owner of the seeded accounts, one of each plan, chooses one.
    clicks += 1;
    await page.locator('.cards a').first().click();
    await page.getByRole('heading', { name: 'Now', exact: true }).waitFor();
  });
  const line = await step('a key', async () => {
    await click('Create a key');
    return (await page.locator('pre code').nth(1).textContent()) ?? '';
  });
  await step('the line pasted, until the result plays', async () => {
    await promisify(execFile)('sh', ['-c', line]);
    await page.locator('video').waitFor({ timeout: 120_000 });
  });
  console.log('| step | clicks | seconds |\n|---|---|---|');
  for (const row of [...rows, ['together', String(clicks), seconds(began).toFixed(1)]])
    console.log(`| ${row.join(' | ')} |`);
  console.log('\nFields to fill in: none. Lines to paste: one.');
} finally {
  await browser.close();
  if (service.pid !== undefined && service.exitCode === null) process.kill(-service.pid, 'SIGINT');
  await ended;
  rmSync(clone, { recursive: true, force: true });
}
