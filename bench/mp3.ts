import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { makeTools } from '../scripts/assets/tools.ts';
import { openConverter } from '../test/browser/converter.ts';
import { chromiumPath } from '../test/browser/player.ts';
import { programs } from '../test/fixtures/make.ts';
import { sparseWav } from '../test/fixtures/sound-files.ts';
import { startService } from '../test/harness.ts';
import { run } from '../transcoder/ffmpeg/run.ts';
import { measured, median, printTable } from './measure.ts';
import { cpuOf, privateMiB, processesUnder } from './processes.ts';

/**
 * The converter of /tools/mp4-to-mp3 in Chromium: CPU of a conversion compared with ffmpeg's in the same run, memory by the size of
 * the file, and what the page loads.
 */
const ROUNDS = 3;
const SECONDS = 120;
const SAMPLE_MS = 200;
const MOST_MIB = 300;
/** The highest data rate that the page accepts: a large file has few seconds. */
const dense = { sampleRate: 192_000, channels: 64, bytesPerSample: 3 } as const;
const bytesASecond = dense.sampleRate * dense.channels * dense.bytesPerSample;

if (!chromiumPath) throw new Error('this bench needs Chromium');
const directory = await mkdtemp(join(tmpdir(), 'spool-bench-'));
await makeTools();
let origin = '';
const service = await startService(async (url) => {
  origin = `http://localhost:${url.port}`;
  return { TRANSCODER_URL: 'http://127.0.0.1:9', PUBLIC_URL: origin };
});
const server = await chromium.launchServer({
  executablePath: chromiumPath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
const browser = await chromium.connect(server.wsEndpoint());
const pid = server.process().pid ?? 0;

const music = join(directory, 'music.mp4');
const notes = '0.3*sin(2*PI*(220+110*floor(mod(t,4)))*t)+0.2*sin(2*PI*880*t)+0.1*(random(0)-0.5)';
const source = [
  '-f',
  'lavfi',
  '-i',
  `aevalsrc='${notes}|${notes.replace('880', '660')}':s=48000:d=${SECONDS}`,
];
await run(programs, 'ffmpeg', ['-v', 'error', ...source, '-c:a', 'aac', '-b:a', '160k', music]);

const rounds: { page: number; wall: number; program: number }[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const converter = await openConverter(browser, origin);
  await converter.add(music);
  const before = await cpuOf(await processesUnder(pid));
  const began = performance.now();
  await converter.convert();
  const wall = (performance.now() - began) / 1000;
  const page = (await cpuOf(await processesUnder(pid))) - before;
  const { cpu: program } = await measured(null, () =>
    run(programs, 'ffmpeg', [
      ...['-v', 'error', '-y', '-threads', '1', '-i', music],
      ...['-c:a', 'libmp3lame', '-b:a', '192k', join(directory, 'music.mp3')],
    ]),
  );
  rounds.push({ page, wall, program });
  await converter.close();
}
const of = (name: 'page' | 'wall' | 'program') => median(rounds.map((round) => round[name]));
printTable([
  [`${SECONDS} s of AAC to MP3, 192 kbit/s`, 'CPU, s', 'ratio'],
  ['ffmpeg with libmp3lame', of('program'), 1],
  ['the page in Chromium', of('page'), median(rounds.map(({ page, program }) => page / program))],
]);
console.log(
  `\nThe page took ${of('wall').toFixed(1)} s, ${(SECONDS / of('wall')).toFixed(0)} × as fast as the sound plays.\n`,
);

const sizes: (string | number)[][] = [
  ['input', 'peak of the page and its workers, MiB', 'of it while idle, MiB'],
];
let highest = 0;
for (const gigabytes of [0.25, 1, 4]) {
  const seconds = Math.floor((gigabytes * 2 ** 30 - 2 ** 20) / bytesASecond);
  const path = await sparseWav(join(directory, 'large.wav'), { ...dense, seconds });
  const converter = await openConverter(browser, origin);
  const renderers = () => processesUnder(pid, '--type=renderer');
  const idle = await privateMiB(await renderers());
  let [peak, isOver] = [0, false];
  const sampling = (async () => {
    while (!isOver) {
      peak = Math.max(peak, await privateMiB(await renderers()));
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  })();
  await converter.add(path);
  const said = await converter.convert(1800);
  isOver = true;
  await sampling;
  await converter.close();
  if (!Object.values(said)[0]?.startsWith('Done')) throw new Error(JSON.stringify(said));
  highest = Math.max(highest, peak);
  console.error(`${gigabytes} GiB: ${peak.toFixed(0)} MiB`);
  sizes.push([`${gigabytes} GiB`, peak.toFixed(0), idle.toFixed(0)]);
}
printTable(sizes);

const sizeOf = (bytes: Uint8Array) => gzipSync(bytes, { level: 9 }).length / 1000;
const folder = new URL('../web/assets/tools/mp4-to-mp3/', import.meta.url);
const files = await readdir(folder);
const fileOf = async (start: RegExp) =>
  readFile(new URL(files.find((name) => start.test(name)) ?? '', folder));
const at = async (path: string) => new Uint8Array(await (await service.request(path)).arrayBuffer());
const first = [
  ...(await Promise.all(
    ['/tools/mp4-to-mp3', '/static/docs.css', '/static/docs.js', '/static/favicon.svg'].map(at),
  )),
  ...(await Promise.all([/^page-.*js$/, /^page-.*css$/, /webmanifest$/].map(fileOf))),
];
const total = first.reduce((sum, bytes) => sum + sizeOf(bytes), 0);
console.log('');
printTable([
  ['loaded', 'files', 'kB, gzip'],
  ['before a file is chosen', `${first.length}`, total.toFixed(1)],
  ['when a file is chosen', '1', sizeOf(await fileOf(/^converter-/)).toFixed(1)],
]);

await browser.close();
await server.close();
await service.close();
await rm(directory, { recursive: true, force: true });
if (highest > MOST_MIB || total > 25) process.exitCode = 1;
