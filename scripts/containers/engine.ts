import { execFile, spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

export type Engine = { ok: true; stop: () => Promise<void> } | { ok: false; reason: string };

const START_SECONDS = 30;
const BRIDGE = '172.17.0.1/16';

/** Finds a Docker that answers, or starts one; `stop` ends it only where it was started here. */
export async function ensureEngine(): Promise<Engine> {
  if (answers()) return { ok: true, stop: async () => {} };
  if (process.getuid?.() !== 0)
    return { ok: false, reason: 'it does not answer, and only root can start it' };
  const directory = mkdtempSync(join(tmpdir(), 'spool-dockerd-'));
  const logFile = join(directory, 'dockerd.log');
  const log = openSync(logFile, 'w');
  // Without a given address the first start of a daemon does not tell the bridge's gateway, which workerd asks for.
  const daemon = spawn('dockerd', ['--bip', BRIDGE], { stdio: ['ignore', log, log] });
  closeSync(log);
  let ended: string | undefined;
  daemon.once('error', (error) => {
    ended = error.message;
  });
  daemon.once('exit', () => {
    ended ??= readFileSync(logFile, 'utf8').trim().split('\n').at(-1) ?? 'dockerd ended';
  });
  for (let second = 0; second < START_SECONDS && ended === undefined; second++) {
    await wait(1000);
    if (!answers()) continue;
    return {
      ok: true,
      stop: async () => {
        const gone = new Promise((resolve) => daemon.once('exit', resolve));
        daemon.kill('SIGTERM');
        await gone;
        rmSync(directory, { recursive: true });
      },
    };
  }
  daemon.kill('SIGKILL');
  rmSync(directory, { recursive: true });
  return { ok: false, reason: ended ?? `dockerd did not answer within ${START_SECONDS} s` };
}

/** Runs docker and returns what it printed. Throws where it fails. */
export async function docker(...args: string[]): Promise<string> {
  return (await promisify(execFile)('docker', args)).stdout.trim();
}

/** The host's network lets the build reach the package mirrors that this machine reaches. */
export function buildImage(tag: string, context: string, file = join(context, 'Dockerfile')): void {
  const args = ['build', '--network', 'host', '--tag', tag, '--file', file, context];
  const { status } = spawnSync('docker', args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`docker ${args.join(' ')} failed`);
}

function answers(): boolean {
  return spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0;
}
