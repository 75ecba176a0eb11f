import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { experimental_readRawConfig } from 'wrangler';
import { corsRules } from './lib/cors-rules.ts';
import { root } from './lib/paths.mjs';
import { bucket, wranglerCommand } from './lib/wrangler.mjs';

// Sets the CORS rules of the deployed bucket, for the PUBLIC_URL of wrangler.toml and the origins given as arguments.
const { vars } = experimental_readRawConfig({ config: join(root, 'wrangler.toml') }).rawConfig;
const directory = mkdtempSync(join(tmpdir(), 'spool-cors-'));
try {
  const file = join(directory, 'cors.json');
  writeFileSync(file, JSON.stringify(corsRules(String(vars?.PUBLIC_URL), process.argv.slice(2))));
  const command = wranglerCommand(['r2', 'bucket', 'cors', 'set', bucket, '--file', file, '--force']);
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' });
  process.exitCode = status ?? 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
