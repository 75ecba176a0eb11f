import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { serveMedia } from '../scripts/lib/media-server.mjs';
import { startStack } from '../test/e2e/stack.ts';
import { run } from '../transcoder/ffmpeg/run.ts';
import { gigabyte, programs } from './footage.ts';
import { median, printTable } from './measure.ts';

/**
 * A few seconds, the last frame and the properties of a gigabyte on another host: time from POST to `completed_at` and bytes read, compared
 * with ffmpeg on the same URL in alternating rounds.
 */
const ROUNDS = 5;
const START = 803.21;
const SECONDS = 5;

const path = await gigabyte();
const others = { Matroska: await gigabyte('mkv'), 'MPEG-TS': await gigabyte('ts') };
const directory = await mkdtemp(join(tmpdir(), 'spool-bench-'));
const stack = await startStack(dirname(path));
const { key } = await stack.service.createAccount('elite');

/** The same folder through a relay that counts the bytes, for programs that do not report them. */
const folder = await serveMedia(dirname(path), 0);
let sent = 0;
const relay = createServer(async (request, response) => {
  const range = request.headers.range;
  const abort = new AbortController();
  response.once('close', () => abort.abort());
  try {
    const answer = await fetch(folder.origin + request.url, {
      ...(range ? { headers: { range } } : {}),
      signal: abort.signal,
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const chunk of answer.body ?? []) {
      sent += chunk.length;
      if (!response.write(chunk)) await new Promise((resolve) => response.once('drain', resolve));
    }
    response.end();
  } catch (error) {
    if (!abort.signal.aborted) throw error;
  }
});
await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
const relayed = (file: string) =>
  `http://127.0.0.1:${(relay.address() as AddressInfo).port}/${basename(file)}`;

interface Cost {
  seconds: number;
  bytes: number;
}

async function service(operation: string, body: Record<string, unknown>): Promise<Cost> {
  const { id } = await stack.service.submit(operation, body, key);
  const task = await stack.service.finished(id, key);
  if (task.status !== 'completed' || !task.completed_at) throw new Error(JSON.stringify(task.error));
  const seconds = (Date.parse(task.completed_at) - Date.parse(task.created_at)) / 1000;
  return { seconds, bytes: Number(task.input.bytes_read) };
}

const ffmpeg = (args: string[]) => program('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);

async function program(name: 'ffmpeg' | 'ffprobe', args: string[]): Promise<Cost> {
  const [began, before] = [performance.now(), sent];
  await run(programs, name, args);
  return { seconds: (performance.now() - began) / 1000, bytes: sent - before };
}

const mediaOf = (file: string) => stack.media(basename(file));

/** Clips of two files, made smaller: no packet can be copied. */
const clips = [
  { file: path, start: START },
  { file: others.Matroska, start: START / 2 },
];
const smaller = { width: 1280, height: 720 };

/** @param file Of a gigabyte. */
const cutOf = (file: string, container = '') => ({
  name: `/cut of ${SECONDS} s${container}`,
  ours: () => service('/cut', { video_url: mediaOf(file), start: START, duration: SECONDS }),
  theirs: () =>
    ffmpeg([
      ...['-ss', `${START}`, '-i', relayed(file), '-t', `${SECONDS}`],
      ...['-c:v', 'libx264', '-preset', 'veryfast', '-c:a', 'aac', join(directory, 'cut.mp4')],
    ]),
});

const works = [
  cutOf(path),
  ...Object.entries(others).map(([container, file]) => cutOf(file, `, ${container}`)),
  {
    name: '/frame/last',
    ours: () => service('/frame/last', { video_url: mediaOf(path) }),
    theirs: () =>
      ffmpeg(['-sseof', '-3', '-i', relayed(path), '-update', '1', '-q:v', '2', join(directory, 'last.jpg')]),
  },
  {
    name: `/merge_urls of 2 × ${SECONDS} s, all re-encoded`,
    ours: () => {
      const urls = clips.map(({ file, start }) => ({ url: mediaOf(file), start, end: start + SECONDS }));
      return service('/merge_urls', { urls, ...smaller });
    },
    theirs: () =>
      ffmpeg([
        ...clips.flatMap(({ file, start }) => ['-ss', `${start}`, '-t', `${SECONDS}`, '-i', relayed(file)]),
        '-filter_complex',
        '[0:v]scale=1280:720[a];[1:v]scale=1280:720[b];[a][0:a][b][1:a]concat=n=2:v=1:a=1',
        ...['-c:v', 'libx264', '-preset', 'veryfast', '-c:a', 'aac', join(directory, 'merged.mp4')],
      ]),
  },
  ...Object.entries(others).map(([container, file]) => ({
    name: `/probe, ${container}`,
    ours: () => service('/probe', { url: mediaOf(file) }),
    theirs: () => program('ffprobe', ['-v', 'error', '-show_format', '-show_streams', relayed(file)]),
  })),
];

try {
  const rows: (string | number)[][] = [
    ['1 GB at a distance', 'POST to completed, s', 'MB read', 'ffmpeg, s', 'MB read', 'time, ratio'],
  ];
  for (const { name, ours, theirs } of works) {
    const rounds: { mine: Cost; other: Cost }[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push({ mine: await ours(), other: await theirs() });
    const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick));
    rows.push([
      name,
      ...[of(({ mine }) => mine.seconds), of(({ mine }) => mine.bytes) / 1e6],
      ...[of(({ other }) => other.seconds), of(({ other }) => other.bytes) / 1e6],
      of(({ mine, other }) => other.seconds / mine.seconds),
    ]);
  }
  printTable(rows);
} finally {
  relay.close();
  await folder.close();
  await stack.close();
  await rm(directory, { recursive: true, force: true });
}
