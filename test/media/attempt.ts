import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { plans } from '../../schema/api/plans.ts';
import { type OperationName, operations } from '../../schema/operations/index.ts';
import { taskLimits } from '../../schema/task/wire.ts';
import { serveMedia } from '../../scripts/lib/media-server.mjs';
import { jsonLog } from '../../transcoder/log.ts';
import type { LibavPool } from '../../transcoder/media/libav/pool.ts';
import { resolver } from '../../transcoder/source/resolve-host.ts';
import type { ObjectStore } from '../../transcoder/source/s3.ts';
import { Disk } from '../../transcoder/task/disk.ts';
import { parseJob } from '../../transcoder/task/job.ts';
import { type Outcome, runTask, type TaskContext } from '../../transcoder/task/run-task.ts';
import { makeJob } from '../transcoder/transcoder-process.ts';
import { type Answers, ctx, libavWith } from './operate.ts';

/** Whole attempts in this process: from the address of a source, which is read by range, to the files that are stored. */
export interface Attempts {
  /** The address of a file of the folder. */
  media(name: string): string;
  run(name: OperationName, input: Record<string, unknown>, signal: AbortSignal): Promise<Outcome>;
  /** Where an object lies that an attempt has stored. */
  stored(key: string): string;
  close(): Promise<void>;
}

const silent = jsonLog({}, () => {});

/**
 * Serves a folder, and stores what attempts make of its files in a directory of their own.
 * @param answers What takes the place of some requests to libav.
 */
export async function startAttempts(folder: string, answers: Answers = {}): Promise<Attempts> {
  const origin = await serveMedia(folder, 0);
  const directory = await mkdtemp(join(tmpdir(), 'spool-attempts-'));
  const stored = (key: string) => join(directory, key.replaceAll('/', '-'));
  // An attempt asks its pool, and does nothing else with it.
  const pool = libavWith(answers) as LibavPool | null;
  const context: TaskContext = {
    // The processes of libav serve all attempts: their start takes longer than most of these.
    workspaces: {
      take: async () => {
        const own = await mkdtemp(join(directory, 'attempt-'));
        const close = () => rm(own, { recursive: true, force: true });
        return { directory: own, libav: pool, endProcesses: async () => {}, close };
      },
    },
    reach: { devOrigins: new Set([origin.origin]), ownHosts: new Set(), resolve: resolver() },
    openSealed: () => Promise.reject(new Error('nothing is sealed')),
    media: { programs: ctx.programs, capabilities: ctx.capabilities, engines: ctx.engines },
    store: storeIn(stored),
    disk: new Disk(),
    log: silent,
  };
  return {
    media: (name) => `${origin.origin}/${name}`,
    async run(name, input, signal) {
      const limits = taskLimits.parse(plans.elite);
      const job = makeJob(name, operations[name].input.parse(input), 'http://127.0.0.1:9/', { limits });
      const parsed = parseJob(JSON.parse(JSON.stringify(job)));
      if (!parsed.ok) throw new Error(parsed.detail);
      return runTask(context, parsed.task, signal, { progress() {}, sourcesLast() {} });
    },
    stored,
    async close() {
      await origin.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function storeIn(stored: (key: string) => string): ObjectStore {
  return {
    async put({ key, path }) {
      await copyFile(path, stored(key));
      const bytes = await readFile(path);
      return { file_size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
    },
    origin: (key) => {
      throw new Error(`${basename(key)} is not read again`);
    },
    remove: async (keys) => {
      await Promise.all(keys.map((key) => rm(stored(key), { force: true })));
    },
    warm: async () => {},
  };
}
