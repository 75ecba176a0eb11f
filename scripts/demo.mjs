/**
 * `npm run demo`: starts the service on free ports with its own state, runs three operations on the sample, shows the results
 * with ffprobe, and exits. A running service is not affected.
 */
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { lock } from './lib/lock.mjs';
import { home, instanceAt } from './lib/paths.mjs';
import { freePort } from './lib/ports.mjs';
import { prepare } from './lib/prepare.mjs';
import { startService } from './lib/service.mjs';
import { session } from './lib/session.mjs';
import { secondsSince, step } from './lib/steps.mjs';
import { tableText } from './lib/table-text.mjs';

const TASK_MS = 120_000;
const POLL_MS = 200;

/** @param {string} video_url */
const tasks = (video_url) => [
  { path: '/cut', input: { video_url, start: 1.5, duration: 5 } },
  { path: '/frame/last', input: { video_url, format: 'png' } },
  { path: '/crop', input: { video_url, aspect_ratio: '9:16', anchor: 'center' } },
];

/**
 * @param {Response} response
 * @returns {Promise<any>}
 */
async function json(response) {
  const body = /** @type {any} */ (await response.json());
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${body.code}: ${body.detail}`);
  return body;
}

/**
 * Creates a task, waits for its end and downloads the result.
 * @param {string} baseUrl
 * @param {string} key
 * @param {{path: string, input: object}} request
 * @param {string} folder
 */
async function make(baseUrl, key, { path, input }, folder) {
  const startedAt = Date.now();
  const headers = { 'x-api-key': key };
  const created = await fetch(baseUrl + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  let task = await json(created);
  while (task.status !== 'completed') {
    if (task.status === 'failed') throw new Error(`${path} failed: ${task.error.code}: ${task.error.detail}`);
    if (Date.now() - startedAt > TASK_MS) throw new Error(`${path} is still ${task.status} (${task.stage})`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    task = await json(await fetch(task.status_url, { headers }));
  }
  const took = secondsSince(startedAt);
  const download = await fetch(task.links.download, { headers });
  if (!download.ok || !download.body) throw new Error(`${task.links.download}: ${download.status}`);
  const file = join(folder, task.output.file_name);
  await pipeline(Readable.fromWeb(/** @type {any} */ (download.body)), createWriteStream(file));
  return { path, file, took };
}

/**
 * What ffprobe reports, counted from the packets and frames themselves.
 * @param {import('./lib/children.mjs').Children} children
 * @param {string} ffprobe
 * @param {string} file
 */
async function look(children, ffprobe, file) {
  const text = await children.run(ffprobe, [
    ...['-v', 'error', '-count_frames', '-of', 'json', '-show_entries'],
    ...['format=duration,size:stream=codec_type,codec_name,width,height,avg_frame_rate,nb_read_frames', file],
  ]);
  const { streams, format } = JSON.parse(text);
  const named = (/** @type {string} */ type) =>
    streams.find((/** @type {{codec_type: string}} */ stream) => stream.codec_type === type);
  const video = named('video');
  return {
    codecs: streams.map((/** @type {{codec_name: string}} */ stream) => stream.codec_name).join(' + '),
    size: `${video.width}×${video.height}`,
    frames: video.nb_read_frames,
    seconds: named('audio') ? Number(format.duration).toFixed(3) : '',
    bytes: format.size,
  };
}

await session(async ({ children, onEnd }) => {
  const startedAt = Date.now();
  const folder = join(home, 'demo');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const instance = instanceAt(join(folder, 'service'));
  onEnd(lock(instance));

  console.log('Spool demo: setting up');
  const prepared = await prepare(children, instance);
  const service = await startService(children, instance, prepared, {
    port: await freePort(),
    devOrigins: '',
    verbose: false,
  });

  const work = async () => {
    const rows = [];
    for (const request of tasks(service.sampleUrl)) {
      const made = await step(
        `POST ${request.path}`,
        () => make(service.baseUrl, prepared.keys.elite, request, folder),
        ({ file }) => `POST ${request.path} → ${file}`,
      );
      const seen = await look(children, prepared.programs.ffprobe, made.file);
      rows.push({ request: made.path, ...seen, took: made.took });
    }
    return rows;
  };
  const rows = await Promise.race([work(), service.ended]);
  console.log(
    `\nWhat ffprobe sees (the sample: 1280×720, 30 frames a second, 12 s, 360 frames):\n\n${tableText(rows)}`,
  );
  console.log(`\nThe results are in ${folder}. Total time: ${secondsSince(startedAt)}.`);
});
