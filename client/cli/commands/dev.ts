import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../exit-codes.ts';
import type { OwnCommand } from './own-command.ts';

export const dev: OwnCommand = {
  parameters: '[OPTIONS OF NPM START]',
  most: Number.POSITIVE_INFINITY,
  summary: 'Run the whole service on this machine, from a clone of its repository.',
  details: 'The same as `npm start` in the clone. The service is not part of this package.',
  options: {},
  examples: ['spool dev'],
  run: async (args) => {
    const root = cloneAbove(process.cwd());
    if (root === null)
      throw new UsageError(
        'This is not a clone of Spool. Clone its repository, go to its folder and run `npm start` there.',
      );
    const child = spawn('npm', ['start', '--', ...args], { cwd: root, stdio: 'inherit' });
    // Ctrl-C reaches the service too, which then ends by itself.
    process.on('SIGINT', () => undefined);
    process.exitCode = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code ?? 1));
    });
  },
};

/** The nearest folder above that is a clone of the service. */
function cloneAbove(folder: string): string | null {
  const manifest = join(folder, 'package.json');
  if (existsSync(manifest) && existsSync(join(folder, 'scripts/start.mjs'))) {
    const { name } = JSON.parse(readFileSync(manifest, 'utf8')) as { name?: string };
    if (name === 'spool') return folder;
  }
  return dirname(folder) === folder ? null : cloneAbove(dirname(folder));
}
