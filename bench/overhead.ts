import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '../schema/operations/index.ts';
import { startStack } from '../test/e2e/stack.ts';
import { sleep } from '../test/harness.ts';
import { probeCapabilities } from '../transcoder/ffmpeg/capabilities.ts';
import { analyzeAndPlan } from '../transcoder/media/execute/analyze-and-plan.ts';
import { completeSource } from '../transcoder/media/execute/complete-source.ts';
import { render } from '../transcoder/media/execute/execute-plan.ts';
import type { MediaContext } from '../transcoder/media/execute/media-context.ts';
import { probeMedia } from '../transcoder/media/probe/probe-media.ts';
import { plannerOf } from '../transcoder/operations/index.ts';
import { generousLimits, median } from './measure.ts';

/** Time from POST to `completed_at`, minus the time of the equivalent ffmpeg command, in alternating rounds. */
const ROUNDS = 15;
const directory = mkdtempSync(join(tmpdir(), 'spool-bench-'));
const path = join(directory, 'source.mp4');
execFileSync('ffmpeg', [
  ...['-loglevel', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=30:duration=20'],
  ...[
    '-f',
    'lavfi',
    '-i',
    'sine=440:duration=20',
    '-pix_fmt',
    'yuv420p',
    '-c:v',
    'libx264',
    '-c:a',
    'aac',
    path,
  ],
]);

const programs = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' };
const quiet = () => {};
const log = { info: quiet, warn: quiet, error: quiet, with: () => log };
const media: MediaContext = {
  programs,
  capabilities: await probeCapabilities(programs),
  libav: null,
  engines: null,
  log: log as never,
};
const stack = await startStack(directory);
const { service } = stack;
const input = { video_url: stack.media('source.mp4'), start: 1.5, duration: 5 };
const source = await completeSource({ path, format: 'mov' });
const probe = await probeMedia(media, source);
const parsed = operations.cut.input.parse(input);
const plan = await analyzeAndPlan(media, plannerOf('cut'), parsed, [{ ...source, probe }], {
  limits: generousLimits(),
  directory,
});

async function bare(): Promise<number> {
  const start = performance.now();
  await render(media, plan, { directory, sources: [{ ...source, probe }] });
  return performance.now() - start;
}

async function throughService(): Promise<number> {
  const task = await service.finished((await service.submit('/cut', input)).id);
  if (task.status !== 'completed' || !task.completed_at) throw new Error(JSON.stringify(task.error));
  return Date.parse(task.completed_at) - Date.parse(task.created_at);
}

await bare();
await throughService();
const rounds: { bare: number; service: number }[] = [];
for (let round = 0; round < ROUNDS; round++) {
  rounds.push({ bare: await bare(), service: await throughService() });
  await sleep(200);
}
const bareMs = median(rounds.map((round) => round.bare));
const serviceMs = median(rounds.map((round) => round.service));
const overhead = median(rounds.map((round) => round.service - round.bare));
console.log('| 5 s cut out of 20 s of 360p | ms at p50 | ratio |');
console.log('|---|---|---|');
console.log(`| bare ffmpeg command | ${bareMs.toFixed(0)} | 1.00 |`);
console.log(`| POST to completed | ${serviceMs.toFixed(0)} | ${(serviceMs / bareMs).toFixed(2)} |`);
console.log(`| overhead (median of rounds) | ${overhead.toFixed(0)} | |`);
const steps = stack.transcoder.logs.filter((entry) => entry.message === 'step');
for (const step of new Set(steps.map((entry) => String(entry.step)))) {
  const times = steps.filter((entry) => entry.step === step).map((entry) => Number(entry.ms));
  console.log(`| step ${step} | ${median(times)} | |`);
}
await stack.close();
rmSync(directory, { recursive: true });
