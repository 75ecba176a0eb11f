import type { AddressInfo } from 'node:net';
import packageJson from '../package.json' with { type: 'json' };
import { sealer } from '../schema/api/seal.ts';
import { WIRE_VERSION } from '../schema/task/wire.ts';
import { Engines } from './engines/engines.ts';
import { operatorSpeechApi } from './engines/operator-speech-api.ts';
import { readConfig } from './env.ts';
import { probeCapabilities } from './ffmpeg/capabilities.ts';
import { findSandbox, machineMemory } from './ffmpeg/find-sandbox.ts';
import { watchMemory } from './ffmpeg/memory-watch.ts';
import { jsonLog } from './log.ts';
import { memoryForTasks } from './model/memory-share.ts';
import { Slots } from './model/slots.ts';
import { lineWriter } from './process/line-writer.ts';
import { watchStrayErrors } from './process/stray-errors.ts';
import { watchEventLoop } from './process/watchdog.ts';
import { transcoderServer } from './server.ts';
import { resolver } from './source/resolve-host.ts';
import { s3Store } from './source/s3.ts';
import { Attempts } from './task/attempts.ts';
import { Disk } from './task/disk.ts';
import { sweepWorkspaces } from './task/work-directories.ts';
import { Workspaces } from './task/workspaces.ts';

/**
 * Platforms kill the process a few seconds after SIGTERM. Attempts that have not ended by then are recovered when their
 * lease expires.
 */
const LEAVE_MS = 9000;

const { version } = packageJson;
const config = readConfig();
const about = { service: 'transcoder', version };
const log = jsonLog(about, lineWriter(process.stdout));
watchEventLoop(about);
// Libraries may write warnings to stderr, which may be closed.
process.stderr.on('error', () => {});
await sweepWorkspaces(config.workDir, log);

const bare = { ffmpeg: config.ffmpeg, ffprobe: config.ffprobe };
const memoryBytes = config.memoryMb * 1e6 || memoryForTasks(machineMemory());
const slotBytes = Math.floor(memoryBytes / config.slots);
const sandbox = await findSandbox(bare, config.sandbox, log, slotBytes);
watchMemory(memoryBytes, log);
const programs = { ...bare, sandbox };
const capabilities = await probeCapabilities(programs);
const { workDir } = config;
const workspaces = await Workspaces.open({ workDir, sandbox, slots: config.slots, log });
const engines = await Engines.probe({
  ...{ programs, modelsDir: config.modelsDir, elevenLabsUrl: config.elevenLabsUrl },
  ...{ confinement: { sandbox }, exchangeDir: workspaces.standby, log },
  speechApi: operatorSpeechApi(config),
});
const store = s3Store(config);
const slots = new Slots(config.slots, config.line);
const attempts = new Attempts(
  {
    workspaces,
    reach: {
      devOrigins: config.devOrigins,
      ownHosts: new Set([new URL(config.s3Endpoint).hostname]),
      resolve: resolver(config.devDns || undefined),
    },
    openSealed: sealer(config.secret).open,
    media: { programs, capabilities, engines },
    store,
    disk: new Disk(),
    log,
  },
  slots,
);
const server = transcoderServer({
  secret: config.secret,
  version,
  attempts,
  log,
  ready: () => ({
    v: WIRE_VERSION,
    status: attempts.draining ? 'draining' : 'ready',
    version,
    engine: workspaces.hasLibav ? 'node-av' : 'ffmpeg',
    ffmpeg_version: capabilities.version,
    engines: engines.states.map((state) => ({ ...state, speed: engines.speeds.of(state.id) })),
    sandbox: sandbox.level,
    programs: { ffmpeg: capabilities.version, ffprobe: capabilities.version },
    slots: slots.size,
    busy: attempts.busy,
  }),
});

server.listen(config.port, config.host, () => {
  const { address, port } = server.address() as AddressInfo;
  log.info('listening', { address, port, slots: config.slots, line: config.line });
});
void store.warm(log);

process.once('exit', () => {
  void workspaces.close();
  engines.close();
});

let leaving = false;
for (const name of ['SIGTERM', 'SIGINT'] as const) {
  process.on(name, () => void leave(name));
}
// Its tasks count as lost. If they were handed back, one that causes the exception would end one process after another.
watchStrayErrors(log, () => {
  if (!leaving) process.exit(1);
});

async function leave(because: string): Promise<void> {
  if (leaving) return;
  leaving = true;
  log.info('shutting down', { because });
  setTimeout(() => {
    log.error('shut down with work unfinished');
    process.exit(1);
  }, LEAVE_MS).unref();
  server.close();
  await attempts.drain();
  await workspaces.close();
  log.info('shut down');
  process.exit(0);
}
