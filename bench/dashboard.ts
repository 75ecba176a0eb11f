import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { everyPage, startEveryPage } from '../test/e2e/every-page.ts';
import { makeFixtures } from '../test/fixtures/make.ts';
import { startService } from '../test/harness.ts';
import { somebody } from '../test/worker/pages/somebody.ts';
import { pageCost, writeTasks } from '../test/worker/records-at-scale.ts';

/**
 * What pages of the dashboard weigh, what a page of 10,000 tasks asks of the database, and the size of the Worker. Fails if a page has
 * more script and style than demanded.
 */
const MOST_BYTES = 15_000;
const MOST_BYTES_OF_PLAYGROUND = 45_000;
const TASKS = 10_000;

const root = resolve(import.meta.dirname, '..');
const gzipped = (content: string | Uint8Array) => gzipSync(content).length;
const lineOf = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
const table = (head: string[], rows: (string | number)[][]) =>
  console.log(`${[lineOf(head), `|${'---|'.repeat(head.length)}`, ...rows.map(lineOf)].join('\n')}\n`);

await makeFixtures();
await pages();
await tasks();
worker();

async function pages(): Promise<void> {
  const stand = await startEveryPage();
  const sizes = new Map<string, Promise<number>>();
  const textOf = async (path: string, headers = {}) =>
    (await fetch(new URL(path, stand.origin), { headers })).text();

  /** Bytes of files and of the modules that they import, each counted once. */
  async function sizeOf(paths: readonly string[]): Promise<number> {
    const all = new Set(paths);
    for (const path of all) {
      const text = path.endsWith('.js') ? await textOf(path) : '';
      for (const [, file = ''] of text.matchAll(/from '\.\/([\w-]+\.js)'/g)) all.add(`/static/${file}`);
    }
    for (const path of all) if (!sizes.has(path)) sizes.set(path, textOf(path).then(gzipped));
    return (await Promise.all([...all].map((path) => sizes.get(path)))).reduce<number>(
      (sum, size) => sum + (size ?? 0),
      0,
    );
  }

  const rows: (string | number)[][] = [];
  for (const route of everyPage) {
    const [visit] = stand.visits(route);
    if (!visit) continue;
    const cookie = visit.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const html = await textOf(visit.path, { cookie });
    const style = await sizeOf(
      [...html.matchAll(/rel="stylesheet" href="([^"]*)"/g)].map(([, at = '']) => at),
    );
    const script = await sizeOf([...html.matchAll(/<script[^>]* src="([^"]*)"/g)].map(([, at = '']) => at));
    const most = route.path.includes('/playground/') ? MOST_BYTES_OF_PLAYGROUND : MOST_BYTES;
    if (style + script > most) process.exitCode = 1;
    rows.push([
      `\`${route.path.replace(/\{[^}]*\}/g, '')}\``,
      ...[gzipped(html), style, script, style + script, most],
    ]);
  }
  await stand.close();
  table(['page', 'HTML, bytes gzip', 'style', 'script', 'style and script', 'demanded'], rows);
}

async function tasks(): Promise<void> {
  const service = await startService(
    { TRANSCODER_URL: 'http://127.0.0.1:9', MAIL: 'outbox', SIGN_UP: 'trial' },
    { entry: 'test/worker/recording-worker.ts' },
  );
  const one = await somebody(service);
  const account = { id: one.id, key: '', keyId: '' };
  await writeTasks(service, account, { ended: TASKS, waiting: 20, until: Date.now() });
  const rows: (string | number)[][] = [];
  for (const path of ['/tasks', '/tasks?status=failed', '/tasks?key=number&value=77', '/home']) {
    const began = performance.now();
    await one.browser.open(one.account + path);
    const milliseconds = performance.now() - began;
    const { statements, rowsRead } = await pageCost(service, one.browser, one.account + path);
    rows.push([`\`${path}\``, statements.length, rowsRead, milliseconds.toFixed(0)]);
  }
  await service.close();
  table([`of ${TASKS.toLocaleString('en')} tasks`, 'queries', 'rows read', 'ms'], rows);
}

/** The script as it is deployed. */
function worker(): void {
  const directory = mkdtempSync(join(tmpdir(), 'spool-bundle-'));
  const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js');
  const flags = ['--dry-run', '--containers-rollout=none', '--outdir', directory];
  execFileSync(process.execPath, [wrangler, 'deploy', ...flags], {
    cwd: root,
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const scripts = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  );
  const rows = scripts.map((name) => {
    const content = readFileSync(join(directory, name));
    return [`\`${name}\``, content.length, gzipped(content)];
  });
  rmSync(directory, { recursive: true });
  table(['script of the Worker', 'bytes', 'gzip'], rows);
}
