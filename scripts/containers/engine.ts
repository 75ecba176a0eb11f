import { execFile, spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { home } from '../lib/paths.mjs';

type Engine = { ok: true; stop: () => Promise<void> } | { ok: false; reason: string };

const START_SECONDS = 30;
const BRIDGE = 'docker0';
const NETWORK = '172.17.0.1/16';
/** Images stay here from run to run; a Docker of the machine's own is another one's business. */
const data = join(home, 'docker');

/** Finds a Docker that answers, or starts one; `stop` ends it only where it was started here, and leaves nothing behind but images. */
export async function ensureEngine(): Promise<Engine> {
  if (answers()) return { ok: true, stop: async () => {} };
  if (process.getuid?.() !== 0)
    return { ok: false, reason: 'it does not answer, and only root can start it' };
  mkdirSync(data, { recursive: true });
  const directory = mkdtempSync(join(tmpdir(), 'spool-dockerd-'));
  const logFile = join(directory, 'dockerd.log');
  const log = openSync(logFile, 'w');
  const settings = join(directory, 'daemon.json');
  writeFileSync(settings, '{}');
  const bridgeWasThere = existsSync(`/sys/class/net/${BRIDGE}`);
  const options = [
    ...[
      '--config-file',
      settings,
      '--data-root',
      data,
      '--exec-root',
      join(directory, 'run'),
      '--pidfile',
      join(directory, 'pid'),
    ],
    // Without a given address the first start of a daemon does not tell the bridge's gateway, which workerd asks for.
    ...['--bip', NETWORK],
    // Containers speak to this machine alone, so its rules and routes can stay as they are.
    ...['--iptables=false', '--ip-forward=false', '--ip-masq=false'],
  ];
  // In a group of its own: a terminal's Ctrl-C would end it before its containers are removed.
  const daemon = spawn('dockerd', options, { detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  let ended: string | undefined;
  daemon.once('error', (error) => {
    ended = error.message;
  });
  daemon.once('exit', () => {
    ended ??= readFileSync(logFile, 'utf8').trim().split('\n').at(-1) ?? 'dockerd ended';
  });
  const clear = () => {
    unmountUnder(directory);
    if (!bridgeWasThere) spawnSync('ip', ['link', 'delete', BRIDGE], { stdio: 'ignore' });
    rmSync(directory, { recursive: true });
  };
  for (let second = 0; second < START_SECONDS && ended === undefined; second++) {
    await wait(1000);
    if (!answers()) continue;
    return {
      ok: true,
      stop: async () => {
        const left = (await docker('ps', '--all', '--quiet')).split('\n').filter(Boolean);
        if (left.length > 0) await docker('rm', '--force', ...left);
        const gone = new Promise((resolve) => daemon.once('exit', resolve));
        daemon.kill('SIGTERM');
        await gone;
        clear();
      },
    };
  }
  daemon.kill('SIGKILL');
  clear();
  return { ok: false, reason: ended ?? `dockerd did not answer within ${START_SECONDS} s` };
}

/** Runs docker and returns what it printed. Throws where it fails. */
export async function docker(...args: string[]): Promise<string> {
  return (await promisify(execFile)('docker', args)).stdout.trim();
}

function answers(): boolean {
  return spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0;
}

/** Docker leaves the networks that it has made mounted. */
function unmountUnder(directory: string): void {
  const mounted = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((path) => path.startsWith(`${directory}/`));
  for (const path of mounted.reverse()) spawnSync('umount', [path], { stdio: 'ignore' });
}
