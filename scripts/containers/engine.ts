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
/** Images are kept between runs. A Docker daemon of the machine is left alone. */
const data = join(home, 'docker');

/** Finds a running Docker, or starts one. `stop` ends it only if it was started here, and leaves only images behind. */
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
    // Without an explicit address, a daemon's first start does not report the bridge's gateway, which workerd requests.
    ...['--bip', NETWORK],
    // Containers only talk to this machine, so its firewall rules and routes need no change.
    ...['--iptables=false', '--ip-forward=false', '--ip-masq=false'],
  ];
  // In its own process group; otherwise Ctrl-C in a terminal would end it before its containers are removed.
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

/** Runs docker and returns its output. Throws if it fails. */
export async function docker(...args: string[]): Promise<string> {
  return (await promisify(execFile)('docker', args)).stdout.trim();
}

function answers(): boolean {
  return spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0;
}

/** Docker leaves its network namespaces mounted. */
function unmountUnder(directory: string): void {
  const mounted = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((path) => path.startsWith(`${directory}/`));
  for (const path of mounted.reverse()) spawnSync('umount', [path], { stdio: 'ignore' });
}
