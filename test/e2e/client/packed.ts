import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../../..');
export const run = promisify(execFile);

export interface Project {
  folder: string;
  /** Where npm has put the program `spool`. */
  programs: string;
  write(name: string, text: string): string;
  close(): void;
}

/** An empty project that has installed the client from its tarball, without a network. */
export async function projectWithClient(): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'spool-client-'));
  const pack = ['pack', '--json', '--pack-destination', folder];
  const { stdout } = await run('npm', pack, { cwd: join(root, 'client') });
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string }];
  const write = (name: string, text: string) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  write('package.json', '{ "name": "a-project", "private": true }');
  const quiet = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...quiet, join(folder, filename)], { cwd: folder });
  return {
    ...{ folder, programs: join(folder, 'node_modules/.bin'), write },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The Node that the project pins, which `npm test` runs with. */
export const node = process.execPath;
