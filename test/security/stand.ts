import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlanName } from '../../schema/api/plans.ts';
import { problem as problemSchema } from '../../schema/api/problem.ts';
import { operations } from '../../schema/operations/index.ts';
import { task as taskSchema } from '../../schema/task/task.ts';
import { serveMedia } from '../../scripts/lib/media-server.mjs';
import { fixtures } from '../fixtures/make.ts';
import { localStorage, type Service, secrets, sleep, startService } from '../harness.ts';
import { makeCertificate, type Origin, startOrigin } from '../transcoder/sources/origin.ts';
import { startTranscoder, type TranscoderProcess } from '../transcoder/transcoder-process.ts';
import { type Canary, startCanary } from './canary.ts';
import type { Case, Ending } from './case.ts';
import { type NameAnswer, type NameServer, startNameServer } from './name-server.ts';

/** The whole service, and around it everything that means it ill. */
export interface Stand {
  service: Service;
  transcoder: TranscoderProcess;
  canary: Canary;
  names: NameServer;
  /** Hostile origins, which development allows, by the certificate they show. */
  origins: Record<'plain' | NonNullable<Case['certificate']>, Origin>;
  /** Sends a case and waits for its end. */
  attempt: (aCase: Case) => Promise<Outcome>;
  /** Runs an honest task and says how it ended. */
  goodTask: () => Promise<Outcome>;
  /** What the service still holds that it should not: processes, directories, sockets, descriptors. */
  leftovers: () => string[];
  close: () => Promise<void>;
}

export interface Outcome {
  ending: Ending;
  seconds: number;
  /** What the caller is told. */
  detail: string;
}

/**
 * @param hosts What the name server says; it knows no other names.
 * @param env Further settings of the transcoder.
 * @param slots How many tasks run at once; what waits in the line of the transcoder has begun, so its time counts.
 */
export async function startStand(
  hosts: Record<string, NameAnswer> = {},
  slots = 8,
  env: Record<string, string> = {},
): Promise<Stand> {
  const directory = mkdtempSync(join(tmpdir(), 'spool-test-stand-'));
  const names = await startNameServer(hosts);
  const canary = await startCanary();
  const media = await serveMedia(fixtures, 0);
  const certificates = {
    trusted: makeCertificate(),
    untrusted: makeCertificate(),
    expired: makeCertificate({ days: -1 }),
    misnamed: makeCertificate({ names: 'DNS:other.example.com' }),
  };
  const { trusted, expired, misnamed } = certificates;
  writeFileSync(join(directory, 'ca.pem'), [trusted, expired, misnamed].map(({ cert }) => cert).join(''));

  const listeners = new Map<string, RequestListener>();
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const listener = listeners.get(request.url?.split('/')[1] ?? '');
    if (listener) listener(request, response);
    else response.writeHead(404).end();
  };
  const origins = {
    plain: await startOrigin(answer),
    trusted: await startOrigin(answer, certificates.trusted),
    untrusted: await startOrigin(answer, certificates.untrusted),
    expired: await startOrigin(answer, certificates.expired),
    misnamed: await startOrigin(answer, certificates.misnamed),
  };
  const allowed = [media.origin, ...Object.values(origins).map(({ url }) => url)].join(',');

  let transcoder: TranscoderProcess | undefined;
  const service = await startService(async (url) => {
    transcoder = await startTranscoder({
      SLOTS: String(slots),
      LINE: '24',
      SPOOL_DEV_ORIGINS: allowed,
      SPOOL_DEV_DNS: names.address,
      NODE_EXTRA_CA_CERTS: join(directory, 'ca.pem'),
      TRANSCODER_SECRET: secrets.TRANSCODER_SECRET,
      S3_ENDPOINT: `${url.origin}/cdn-cgi/local/r2/s3`,
      S3_BUCKET: localStorage.bucket,
      S3_ACCESS_KEY_ID: localStorage.accessKeyId,
      S3_SECRET_ACCESS_KEY: localStorage.secretAccessKey,
      ...env,
    });
    return { TRANSCODER_URL: transcoder.url, SPOOL_DEV_ORIGINS: allowed };
  });
  const running = transcoder;
  if (!running) throw new Error('the transcoder was not started');

  const run = async (path: string, body: unknown, limit: number, plan: PlanName): Promise<Outcome> => {
    const { key } = await service.createAccount(plan);
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1000;
    const created = await service.request(path, { key, json: body });
    if (created.status !== 202) {
      const { code, detail } = problemSchema.parse(await created.json());
      return { ending: code, seconds: seconds(), detail };
    }
    const { id } = taskSchema.parse(await created.json());
    for (;;) {
      const response = await service.request(`/task/${id}?wait_seconds=20`, { key });
      const task = taskSchema.parse(await response.json());
      // Waiting for its turn is no part of it.
      const started = task.started_at === null ? Date.now() : Date.parse(task.started_at);
      const taken = (Date.parse(task.completed_at ?? new Date().toISOString()) - started) / 1000;
      if (task.status === 'completed') return { ending: 'completed', seconds: taken, detail: '' };
      if (task.error) return { ending: task.error.code, seconds: taken, detail: task.error.detail };
      if (taken > limit + 20) throw new Error(`still ${task.status} (${task.stage}) after ${limit} s`);
      await sleep(20);
    }
  };

  const stand: Stand = {
    service,
    transcoder: running,
    canary,
    names,
    origins,
    attempt: ({ name, url, answer: answered, certificate, request, within, plan = 'basic' }) => {
      const slug = name.replace(/[^a-z0-9]+/gi, '-').slice(0, 60);
      if (answered) listeners.set(slug, answered(stand));
      const given = typeof url === 'function' ? url(stand) : url;
      const source = given ?? `${origins[certificate ?? 'plain'].url}/${slug}/a`;
      const { operation, input } = request?.(source) ?? { operation: 'probe', input: { url: source } };
      return run(operations[operation].path, input, within, plan);
    },
    goodTask: () => run('/frame/last', { video_url: `${media.origin}/plain.mp4` }, 60, 'basic'),
    leftovers: () => [
      ...running.descendants().map((pid) => `process ${pid}`),
      ...readdirSync(running.workDir).map((name) => `directory ${name}`),
      ...Object.entries(origins)
        .filter(([, origin]) => origin.open() > 0)
        .map(([name, origin]) => `${origin.open()} sockets to the origin "${name}"`),
      ...[running.child.pid ?? 0, ...running.workers()].flatMap((pid) => openFiles(pid, running.workDir)),
    ],
    async close() {
      await running.close();
      await service.close();
      await Promise.all([media, names, canary, ...Object.values(origins)].map((each) => each.close()));
      rmSync(directory, { recursive: true });
    },
  };
  return stand;
}

/** Files below a directory that a process has open, deleted ones too. */
function openFiles(pid: number, directory: string): string[] {
  const table = `/proc/${pid}/fd`;
  return fdsIn(table)
    .map((fd) => linkOf(join(table, fd)))
    .filter((path) => path.includes(directory))
    .map((path) => `open file ${path} of ${pid}`);
}

/** None of a process that has ended meanwhile, as those of a task do. */
function fdsIn(table: string): string[] {
  try {
    return readdirSync(table);
  } catch {
    return [];
  }
}

/** Empty where it has been closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
