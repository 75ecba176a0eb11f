import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { excerpt } from './children.mjs';
import { writeJson } from './json-file.mjs';
import { keepRunning } from './keep-running.mjs';
import { home, pinnedNode, root } from './paths.mjs';
import { freePort } from './ports.mjs';
import { restartOnChange } from './restart-on-change.mjs';
import { step } from './steps.mjs';
import { bucket, localStorage, wranglerCommand, wranglerEnv } from './wrangler.mjs';

/**
 * @typedef {import('./children.mjs').Children} Children
 * @typedef {import('./paths.mjs').Instance} Instance
 * @typedef {import('./prepare.mjs').Prepared} Prepared
 *
 * @typedef {object} ServiceOptions
 * @property {number} port
 * @property {string} devOrigins Loopback origins that sources may come from, in addition to the service's own.
 * @property {boolean} verbose
 * @property {() => Promise<string[]>} [nextChange] The transcoder restarts after each change of its files.
 *
 * @typedef {object} Service
 * @property {string} baseUrl
 * @property {string} sampleUrl
 * @property {string} dashboardUrl Signs in as the owner of the seeded accounts, once.
 * @property {string} signInUrl
 * @property {string} outboxUrl
 * @property {string} stripeUrl The stand-in for Stripe, with its clock and events.
 * @property {Promise<never>} ended Rejects when the Worker or the transcoder keeps ending by itself.
 */

const READY_MS = 60_000;
/** As often as the cron of wrangler.toml, which `wrangler dev` does not run by itself. */
const SWEEP_MS = 5 * 60_000;

/** As many as the transcoder takes: `transcoder/env.ts`. */
const MOST_SLOTS = 64;

/** @param {number} processors */
export const slotsFor = (processors) => Math.min(MOST_SLOTS, Math.max(2, processors));

/** @param {number} port */
export const addressAt = (port) => `http://127.0.0.1:${port}`;

/**
 * Starts the Worker and a transcoder and waits until both take work.
 * @param {Children} children
 * @param {Instance} instance
 * @param {Prepared} prepared
 * @param {ServiceOptions} options
 * @returns {Promise<Service>}
 */
export async function startService(children, instance, prepared, options) {
  const { port, devOrigins, verbose, nextChange } = options;
  const baseUrl = addressAt(port);
  const transcoderPort = await freePort(port + 1);
  const transcoderUrl = `http://127.0.0.1:${transcoderPort}`;
  const origins = [baseUrl, devOrigins].filter((text) => text !== '').join(',');
  const stripePort = await freePort(port + 3);
  const stripeUrl = `http://127.0.0.1:${stripePort}`;

  const workerLog = join(instance.logs, 'worker.log');
  const transcoderLog = join(instance.logs, 'transcoder.log');
  const startWorker = (again = false) =>
    children.serve(
      'Worker',
      pinnedNode,
      workerCommand(instance, port, { transcoderUrl, stripeUrl, origins }),
      {
        ...{ env: wranglerEnv(instance), log: workerLog, verbose, again },
        ...(nextChange ? { onText: reportReload } : {}),
      },
    );
  const startTranscoder = (again = false) => {
    const stop = new AbortController();
    const ended = children.serve(
      'transcoder',
      pinnedNode,
      ['--max-semi-space-size=2', join(root, 'transcoder/start.mjs')],
      {
        env: transcoderEnv(instance, prepared, baseUrl, transcoderPort, origins),
        ...{ log: transcoderLog, verbose, again, stop: stop.signal },
      },
    );
    return { ended, stop: () => stop.abort() };
  };
  const startStripe = (again = false) =>
    children.serve('stand-in for Stripe', pinnedNode, [join(root, 'test/stripe/main.ts')], {
      env: stripeEnv(instance, prepared, baseUrl, stripePort),
      ...{ log: join(instance.logs, 'stripe.log'), verbose, again },
    });
  const stripeReady = () => answers(stripeUrl);
  const workerReady = () => answers(`${baseUrl}/healthz`);
  const transcoderReady = () => answers(`${transcoderUrl}/healthz`);
  const able = () => assertAble(workerLog);

  const workerEnded = startWorker();
  const stripeEnded = startStripe();
  // Awaited below, once everything runs.
  stripeEnded.catch(() => {});
  await step('Worker', () => Promise.race([answers(`${baseUrl}/healthz`, able, [workerLog]), workerEnded]));
  // After the Worker, because the transcoder connects to the Worker's S3 endpoint at start.
  const transcoder = startTranscoder();
  const any = Promise.race([workerEnded, transcoder.ended, stripeEnded]);
  const logs = [workerLog, transcoderLog];
  await step('transcoder', () => Promise.race([answers(`${baseUrl}/readyz`, able, logs), any]));
  await step('stand-in for Stripe', () => Promise.race([stripeReady(), any]));
  // Restarts use the same ports, so that dev.json stays correct.
  const ended = Promise.race([
    keepRunning({
      ...{ name: 'Worker', ended: workerEnded, start: () => startWorker(true), ready: workerReady },
      say: console.log,
    }),
    keepRunning({
      ...{ name: 'stand-in for Stripe', ended: stripeEnded, start: () => startStripe(true) },
      ...{ ready: stripeReady, say: console.log },
    }),
    nextChange
      ? restartOnChange({
          ...{ name: 'transcoder', running: transcoder, start: () => startTranscoder(true) },
          ...{ ready: transcoderReady, nextChange, say: console.log },
        })
      : keepRunning({
          ...{ name: 'transcoder', ended: transcoder.ended, start: () => startTranscoder(true).ended },
          ...{ ready: transcoderReady, say: console.log },
        }),
  ]);
  // The caller awaits it later.
  ended.catch(() => {});
  sweepNowAndThen(baseUrl);

  const sampleUrl = `${baseUrl}/samples/sample.mp4`;
  const pages = {
    dashboardUrl: prepared.dashboardUrl,
    signInUrl: `${baseUrl}/app/sign-in`,
    outboxUrl: `${baseUrl}/app/outbox`,
    stripeUrl,
  };
  writeJson(instance.devFile, {
    base_url: baseUrl,
    api_keys: prepared.keys,
    sample_url: sampleUrl,
    transcoder_url: transcoderUrl,
    dashboard_url: pages.dashboardUrl,
    sign_in_url: pages.signInUrl,
    outbox_url: pages.outboxUrl,
    stripe_url: pages.stripeUrl,
  });
  return { baseUrl, sampleUrl, ...pages, ended };
}

/**
 * Runs what the cron of a deployed service runs: sweeps, and the probes of `/status`. A run that fails is in the Worker's log.
 * @param {string} baseUrl
 */
function sweepNowAndThen(baseUrl) {
  const sweep = () => fetch(`${baseUrl}/cdn-cgi/handler/scheduled`).catch(() => {});
  setInterval(sweep, SWEEP_MS).unref();
  // The first request of a new user comes before it.
  setTimeout(sweep, SWEEP_MS / 5).unref();
}

/**
 * Reports the result when wrangler has rebuilt the Worker after a change of its files.
 * @param {string} text
 */
function reportReload(text) {
  if (text.includes('Build failed')) console.log(text.trim());
  if (text.includes('Local server updated and ready')) console.log('The Worker is reloaded.');
}

/**
 * @param {Instance} instance
 * @param {number} port
 * @param {{transcoderUrl: string, stripeUrl: string, origins: string}} addresses
 */
function workerCommand(instance, port, { transcoderUrl, stripeUrl, origins }) {
  const variables = {
    SPOOL_ENV: 'development',
    PUBLIC_URL: addressAt(port),
    TRANSCODER_URL: transcoderUrl,
    SPOOL_DEV_ORIGINS: origins,
    MAIL: 'outbox',
    SIGN_UP: 'trial',
    BILLING: 'stripe',
    STRIPE_API_URL: stripeUrl,
    ...storeVariables(addressAt(port)),
  };
  return wranglerCommand([
    ...['dev', '--local', '--ip', '127.0.0.1', '--port', String(port), '--inspector-port', '0'],
    ...['--persist-to', instance.state, '--show-interactive-dev-session=false'],
    ...Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}:${value}`]),
  ]);
}

/**
 * The object store that `wrangler dev` serves: the transcoder writes there, and the Worker signs URLs of it for uploads.
 * @param {string} baseUrl
 */
const storeVariables = (baseUrl) => ({
  S3_ENDPOINT: `${baseUrl}/cdn-cgi/local/r2/s3`,
  S3_BUCKET: bucket,
  S3_ACCESS_KEY_ID: localStorage.accessKeyId,
  S3_SECRET_ACCESS_KEY: localStorage.secretAccessKey,
});

/**
 * @param {Instance} instance
 * @param {Prepared} prepared
 * @param {string} baseUrl
 * @param {number} port
 * @param {string} origins
 * @returns {NodeJS.ProcessEnv}
 */
function transcoderEnv(instance, { programs, secrets }, baseUrl, port, origins) {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: String(port),
    HOST: '127.0.0.1',
    SLOTS: process.env.SLOTS || String(slotsFor(cpus().length)),
    LINE: '4',
    TRANSCODER_SECRET: secrets.TRANSCODER_SECRET,
    ...storeVariables(baseUrl),
    S3_REGION: 'auto',
    WORK_DIR: instance.work,
    FFMPEG: programs.ffmpeg,
    FFPROBE: programs.ffprobe,
    MODELS_DIR: process.env.MODELS_DIR || join(home, 'models'),
    SPOOL_ENV: 'development',
    SPOOL_DEV_ORIGINS: origins,
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('SPEECH_API_'))),
  };
}

/**
 * @param {Instance} instance
 * @param {Prepared} prepared
 * @param {string} baseUrl
 * @param {number} port
 * @returns {NodeJS.ProcessEnv}
 */
function stripeEnv(instance, { secrets }, baseUrl, port) {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: String(port),
    STRIPE_SECRET_KEY: secrets.STRIPE_SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: secrets.STRIPE_WEBHOOK_SECRET,
    WEBHOOK_URL: `${baseUrl}/internal/stripe`,
    STATE_FILE: join(instance.dir, 'stripe.json'),
  };
}

/**
 * Waits until an address answers with success.
 * @param {string} url
 * @param {() => void} [check] Throws if waiting is pointless.
 * @param {readonly string[]} [logs] Files whose ends are shown if it does not.
 */
async function answers(url, check = () => {}, logs = []) {
  const deadline = Date.now() + READY_MS;
  let last = 'no answer';
  while (Date.now() < deadline) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
      if (response.ok) return;
      last = `${response.status} ${await response.text()}`;
    } catch (error) {
      last = String(error);
    }
    check();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const ends = logs.map((log) => `\nThe end of ${log}:\n${excerpt(readFileSync(log, 'utf8'))}`);
  throw new Error(`${url} was not ready within ${READY_MS / 1000} s: ${last}${ends.join('')}`);
}

/**
 * Throws if the Worker cannot answer, however long it is waited for.
 * @param {string} workerLog
 */
function assertAble(workerLog) {
  const fault = workerFault(readFileSync(workerLog, 'utf8'));
  if (fault !== null) throw new Error(fault);
}

/**
 * Why the Worker cannot answer, by its log: it does not build, and wrangler waits for a change; or a setting is wrong, which fails each
 * request, even those that need nothing else.
 * @param {string} log
 * @returns {string | null}
 */
export function workerFault(log) {
  if (log.includes('Build failed')) return `The Worker does not build:\n${excerpt(log)}`;
  const failed = /"event":"request_failed",.*"path":"\/healthz","error":("(?:[^"\\]|\\.)*")/.exec(log)?.[1];
  if (failed === undefined) return null;
  const [reason = ''] = JSON.parse(failed).split('\n');
  return `The Worker fails: ${reason.replace(/^Error: /, '')}`;
}
