import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { plans } from '../../schema/api/plans.ts';
import { signatureHeaders } from '../../schema/api/signature.ts';
import type { OperationName } from '../../schema/operations/index.ts';
import { newId } from '../../schema/task/ids.ts';
import { type Job, taskLimits } from '../../schema/task/wire.ts';
import { descendantsOf } from '../descendants-of.ts';
import { expectNoLeaks, keepOutOfLogs } from '../log-canaries.ts';
import { CALLBACK_SECRET } from './receiver.ts';

export interface TranscoderProcess {
  url: string;
  child: ChildProcess;
  workDir: string;
  logs: Record<string, unknown>[];
  /** Sends a signed body. */
  post: (path: string, body: unknown, secret?: string) => Promise<Response>;
  stop: (job: Job) => Promise<Response>;
  /** Processes at work below this process now: all but the warm ones. */
  descendants: () => number[];
  /** The warm processes of the engine. */
  workers: () => number[];
  exited: Promise<number | null>;
  close: () => Promise<void>;
}

/** What processes run that are kept warm. */
const WORKER = 'libav/child/main.';
const HOSTS = 'engines/hosts/';

export const SECRET = 'transcoder-secret-transcoder-secret';
const here = join(import.meta.dirname, '..', '..');

/**
 * The real process of a checkout, of this one if not told otherwise, on a free port, with a work directory of its own or
 * the one that it is given.
 */
export async function startTranscoder(
  env: Record<string, string>,
  root: string = here,
): Promise<TranscoderProcess> {
  const workDir = env.WORK_DIR ?? mkdtempSync(join(tmpdir(), 'spool-test-work-'));
  const child = spawn(process.execPath, ['--max-semi-space-size=2', 'transcoder/start.mjs'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: '0',
      TRANSCODER_SECRET: SECRET,
      SPOOL_ENV: 'development',
      WORK_DIR: workDir,
      ...env,
    },
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const logs: Record<string, unknown>[] = [];
  const lines: string[] = [];
  keepOutOfLogs(env.TRANSCODER_SECRET ?? SECRET, CALLBACK_SECRET);
  const port = Promise.withResolvers<number>();
  void exited.then((code) => port.reject(new Error(`the transcoder ended with ${code}`)));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const entry = JSON.parse(line) as Record<string, unknown>;
    logs.push(entry);
    lines.push(line);
    if (entry.message === 'listening') port.resolve(Number(entry.port));
  });
  const url = `http://127.0.0.1:${await port.promise}`;
  const pid = child.pid ?? 0;

  const post = signedPost(url);
  return {
    url,
    child,
    workDir,
    logs,
    post,
    stop: (job) => post(`/tasks/${job.task_id}/stop`, { v: 1, attempt: job.attempt }),
    descendants: () => aliveBelow(pid).filter((id) => !runs(id, WORKER) && !runs(id, HOSTS)),
    workers: () => aliveBelow(pid).filter((id) => runs(id, WORKER)),
    exited,
    async close() {
      child.kill('SIGTERM');
      await exited;
      rmSync(workDir, { recursive: true, force: true });
      expectNoLeaks(lines, 'the transcoder');
    },
  };
}

/** Sends bodies as the Worker does. */
export function signedPost(url: string): TranscoderProcess['post'] {
  return async (path, body, secret = SECRET) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return fetch(url + path, {
      method: 'POST',
      headers: await signatureHeaders(secret, newId('request'), text),
      body: text,
    });
  };
}

export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

const aliveBelow = (pid: number) => descendantsOf(pid).filter(isAlive);

/** Whether it makes an output, or is what keeps in such a one. */
export const isEncoder = (pid: number) => runs(pid, '-progress');

function runs(pid: number, module: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(module);
  } catch {
    return false;
  }
}

/** A job as the Worker sends it; reports go to `callback`. */
export function makeJob(
  operation: OperationName,
  input: Record<string, unknown>,
  callback: string,
  extra: Partial<Job> = {},
): Job {
  const id = newId('task');
  return {
    v: 1,
    task_id: id,
    attempt: 1,
    request_id: newId('request'),
    operation,
    input,
    stored_sources: {},
    time_maps: {},
    limits: taskLimits.parse(plans.basic),
    output_prefix: `t/${id}/1/`,
    output_name: 'result',
    callback_url: callback,
    callback_secret: CALLBACK_SECRET,
    ...extra,
  };
}
