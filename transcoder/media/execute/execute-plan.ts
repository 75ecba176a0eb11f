import { createReadStream, createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { EngineId } from '../../../schema/media/engines.ts';
import { renderArguments } from '../../ffmpeg/arguments.ts';
import { joinListText } from '../../ffmpeg/join-list.ts';
import { run } from '../../ffmpeg/run.ts';
import type { Sandbox } from '../../ffmpeg/sandbox.ts';
import type { MediaSource } from '../../model/media-source.ts';
import type { Brought, Limits, Plan, Planner } from '../../model/plan.ts';
import { withPresentationTimes } from '../../model/presentation.ts';
import type { Render } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { analyze } from '../analyses/index.ts';
import { fromEntries } from '../analyses/seek-points.ts';
import { DrawingProcess } from '../drawing/process.ts';
import { EngineFailure } from '../libav/pool.ts';
import type { MediaProbe } from '../probe/probe-media.ts';
import { estimateDepth } from '../steps/estimate-depth.ts';
import { mix, splice, trim } from '../steps/libav.ts';
import { mapPicture } from '../steps/luma-map.ts';
import { levelSound } from '../steps/normalize-loudness.ts';
import { placeSounds } from '../steps/place-audio.ts';
import { keepFromClipping } from '../steps/prevent-clipping.ts';
import { roundedPicture } from '../steps/rounded-mask.ts';
import { separateSound } from '../steps/separate.ts';
import { stretchSpeech } from '../steps/time-stretch.ts';
import { admitSmallest } from '../verify/encoder-size.ts';
import { identityProblem } from '../verify/identity.ts';
import { palettePicture } from '../visual/palette.ts';
import { convertVoice } from '../voice/convert.ts';
import type { MediaContext } from './media-context.ts';
import type { Rendered } from './rendered.ts';

export { verify } from '../verify/verify.ts';

/** Without a rise of the output's time for this long, plus what is decoded before it, a render has hung. */
const STALL_SECONDS = 60;
/** So many times what was planned, a render has run on: its source is longer than it says. */
const RUN_ON = 1.5;
/** Decoding runs at least this many times as fast as the video plays. */
const DECODE_SPEED = 2;

/** A source and what is known of it. */
export interface Probed extends MediaSource {
  probe: MediaProbe;
}

interface Conditions {
  limits: Limits;
  brought?: Brought | undefined;
  /** The job's directory. */
  directory: string;
  /** The caller's key of a provider, where one came with the request. */
  providerKey?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** What an operation will do with these sources. Throws TaskFailure where the request does not fit them. */
export async function analyzeAndPlan<I>(
  ctx: MediaContext,
  planner: Planner<I>,
  input: I,
  sources: readonly Probed[],
  { limits, brought, directory, providerKey, signal }: Conditions,
): Promise<Plan> {
  const probes = sources.map((source) => source.probe);
  const present = [...(ctx.engines?.present ?? [])];
  const engines = new Set<EngineId>(providerKey === undefined ? present : [...present, 'elevenlabs']);
  const means = { limits, capabilities: ctx.capabilities, engines, ...(brought ? { brought } : {}) };
  const request = { probes, sources, directory, providerKey, signal };
  const first = await analyze(ctx, planner.analyses(input, probes, means), request);
  const more = planner.again?.({ input, probes, facts: first, ...means }) ?? [];
  const facts = more.length === 0 ? first : await analyze(ctx, more, request, first);
  const plan = planner.plan({ input, probes, facts, ...means });
  admitSmallest(plan);
  return plan;
}

export interface RenderRequest {
  /** The job's directory; every file is made in it. */
  directory: string;
  sources: readonly Probed[];
  /** The caller's key of a provider, where one came with the request. */
  providerKey?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Largest file that may be written on the way; that of the largest plan where it is not given. */
  fileBytes?: number;
  /** Called with 0 … 1, never falling. */
  onProgress?: (fraction: number) => void;
}

/**
 * Executes the steps of a plan in order, or those of the plan that stands behind it where the engine fails. Throws
 * TaskFailure, or the reason of `signal`.
 */
export async function render(ctx: MediaContext, plan: Plan, request: RenderRequest): Promise<Rendered> {
  if (plan.rendered_because) ctx.log.info('no packets are copied', { because: plan.rendered_because });
  let highest = 0;
  const onProgress = (fraction: number) => {
    if (fraction <= highest) return;
    highest = fraction;
    request.onProgress?.(fraction);
  };
  const rising = { ...request, onProgress };
  if (plan.otherwise) {
    try {
      const rendered = await steps(ctx, plan, rising);
      const problem = await refused(ctx, rendered, rising);
      if (problem === null) return rendered;
      ctx.log.warn('other frames came than were planned; everything is rendered', { problem });
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
      ctx.log.warn('the engine failed; everything is rendered', { error });
    }
  }
  const rendered = await steps(ctx, plan.otherwise ?? plan, rising);
  const problem = await refused(ctx, rendered, rising);
  if (problem !== null) throw new TaskFailure('output_invalid', problem);
  return rendered;
}

/** What is wrong with the frames of a result; null where nothing is. */
async function refused(
  ctx: MediaContext,
  { expect, time_map }: Rendered,
  { directory, sources, signal }: RenderRequest,
): Promise<string | null> {
  for (const expected of expect.media) {
    const made = { path: join(directory, expected.file), time_map };
    const problem = await identityProblem(ctx, expected, made, sources, signal);
    if (problem !== null) return problem;
  }
  return null;
}

async function steps(ctx: MediaContext, plan: Plan, request: RenderRequest): Promise<Rendered> {
  const { directory, onProgress } = request;
  const total = plan.steps.reduce((sum, step) => sum + weightOf(step), 0);
  let done = 0;
  const found: Record<string, unknown> = {};
  for (const step of plan.steps) {
    request.signal?.throwIfAborted();
    const weight = weightOf(step);
    const reach = (fraction: number) => onProgress?.(Math.min(1, (done + weight * fraction) / total));
    await execute(ctx, step, request, reach, found);
    reach(1);
    done += weight;
  }
  const [main, ...others] = plan.files.map(({ role, file, extension, media_type }) => ({
    role,
    path: join(directory, file),
    extension,
    media_type,
  }));
  if (!main) throw new Error('a plan without files');
  const { expect, duration, width, height, fps, data, time_map, warnings } = plan;
  const files: Rendered['files'] = [main, ...others];
  return {
    files,
    expect,
    duration,
    width,
    height,
    fps,
    data: { ...data, ...found },
    time_map,
    warnings,
  };
}

function weightOf(step: Plan['steps'][number]): number {
  if (step.kind === 'splice' || step.kind === 'trim') return step.seconds + 0.1;
  if (step.kind === 'separate') return step.seconds / 10 + 0.1;
  if (step.kind === 'convert') return step.samples / step.sampleRate / 2 + 0.1;
  return step.kind === 'render' || step.kind === 'mix' ? (step.weight ?? step.seconds ?? 1) + 0.1 : 0.1;
}

/** @param found Takes what a step finds out for the report of the operation. */
async function execute(
  ctx: MediaContext,
  step: Plan['steps'][number],
  request: RenderRequest,
  onProgress: (fraction: number) => void,
  found: Record<string, unknown>,
): Promise<void> {
  const { directory, sources, providerKey, signal } = request;
  switch (step.kind) {
    case 'render':
      return renderStep(ctx, step, request, onProgress);
    case 'splice':
      await splice(ctx, step, { directory, sources, signal }, onProgress);
      return;
    case 'trim':
      await trim(ctx, step, { directory, sources, signal });
      return;
    case 'level':
      Object.assign(found, await levelSound(ctx, step, { directory, signal }));
      return;
    case 'separate':
      Object.assign(found, await separateSound(ctx, step, { directory, signal, onProgress }));
      return;
    case 'convert':
      Object.assign(found, await convertVoice(ctx, step, { directory, providerKey, signal, onProgress }));
      return;
    case 'headroom':
      Object.assign(found, await keepFromClipping(step, directory));
      return;
    case 'stretch':
      await stretchSpeech(ctx, step, { directory, signal });
      return;
    case 'place':
      await placeSounds(step, directory);
      return;
    case 'mix':
      await mix(ctx, step, { directory, sources, signal }, onProgress);
      return;
    case 'list':
      await writeFile(join(directory, step.file), joinListText(step.entries));
      return;
    case 'append':
      // The plan that failed before this one may have left a file of that name.
      for (const [index, part] of step.parts.entries()) {
        const end = createWriteStream(join(directory, step.file), { flags: index === 0 ? 'w' : 'a' });
        await pipeline(createReadStream(join(directory, part)), end, { signal });
        await rm(join(directory, part));
      }
      return;
    case 'map':
      await writeFile(join(directory, step.file), mapPicture(step.shape, step.width, step.height));
      return;
    case 'depth':
      await estimateDepth(ctx, step, { directory, signal });
      return;
    case 'palette':
      await writeFile(join(directory, step.file), palettePicture(step));
      return;
    case 'rounded':
      await writeFile(join(directory, step.file), roundedPicture(step.side, step.radius));
      return;
    case 'document':
      await writeFile(join(directory, step.file), `${JSON.stringify(step.content, null, 2)}\n`);
      return;
    case 'text':
      await writeFile(join(directory, step.file), step.text);
      return;
  }
}

async function renderStep(
  ctx: MediaContext,
  planned: Render,
  { directory, sources, signal, fileBytes }: RenderRequest,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const step = await fromEntries(ctx, planned, { sources, signal });
  const { seconds, lead } = step;
  const files = await Promise.all(
    sources.map((source, index) => (reads(step, index) ? source.whole() : source.parts())),
  );
  const drawn = drawingOf(step, directory, ctx.programs.sandbox);
  const videos = sources.map(({ probe }) => probe.video);
  const timed = withPresentationTimes(step, videos);
  const running = run(ctx.programs, 'ffmpeg', renderArguments(timed, files), {
    signal,
    ...{ cwd: directory, reads: files.filter((_, index) => reads(step, index)).map(({ path }) => path) },
    input: drawn?.frames,
    onProgress: (outTime) => onProgress(seconds ? Math.min(1, Math.max(0, outTime / seconds)) : 0),
    stallSeconds: STALL_SECONDS + Math.ceil(lead / DECODE_SPEED),
    ...(seconds === null ? {} : { longestSeconds: RUN_ON * (lead + seconds) + STALL_SECONDS }),
    ...(fileBytes === undefined ? {} : { fileBytes }),
  });
  drawn?.begin();
  const { stderrTail } = await running.finally(() => drawn?.end());
  if (stderrTail !== '') ctx.log.info('ffmpeg said', { stderr: stderrTail.slice(-2000) });
}

function drawingOf(
  { inputs }: Render,
  directory: string,
  sandbox: Sandbox | undefined,
): DrawingProcess | null {
  const input = inputs.find((one) => 'drawing' in one);
  return input ? new DrawingProcess(input.drawing, directory, sandbox) : null;
}

function reads({ inputs }: Render, index: number): boolean {
  return inputs.some((input) => 'source' in input && input.source === index);
}
