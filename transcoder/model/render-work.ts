import { encodeCost, filterCost, proresCost, readCost, renderBudget } from '../../schema/api/render-cost.ts';
import type { OperationName } from '../../schema/operations/index.ts';
import { encoderOf, type VideoEncoder } from './encoding.ts';
import type { Plan } from './plan.ts';
import type { MediaProbe } from './source/media-probe.ts';
import type { VideoStream } from './source/video-stream.ts';
import type { Output, Render, Splice } from './steps.ts';
import { TaskFailure } from './task-failure.ts';

interface Work {
  operation: OperationName;
  plan: Plan;
  probes: readonly MediaProbe[];
}

/** Estimates below this wall time in seconds are never refused: other parts of a task take as long. */
const SHORT = 60;

/** Size, rate and cost of a frame of the result. */
interface Frame {
  megapixels: number;
  perSecond: number;
  /** Core seconds of filtering per megapixel. */
  filter: number;
}

/**
 * Refuses a plan before rendering if its frames cannot be rendered within the task's wall time. Copied packets, single pictures
 * and audio cost next to nothing. Throws `source_too_long`, or `output_too_large` if the request alone determines the length.
 */
export function admitWork(work: Work, taskSeconds: number): void {
  const seconds = coreSeconds(work);
  const budget = renderBudget(Math.max(SHORT, taskSeconds));
  if (seconds <= budget) return;
  const { operation, plan } = work;
  const { width, height, fps, duration } = plan;
  const size = width && height ? ` of ${width} × ${height}${fps ? ` at ${Math.round(fps)} fps` : ''}` : '';
  const possible =
    duration === null ? '' : ` About ${Math.floor((duration * budget) / seconds)} s would fit.`;
  throw new TaskFailure(
    operation === 'photo_animate' ? 'output_too_large' : 'source_too_long',
    `Rendering ${duration === null ? 'this output' : `${Math.round(duration)} s`}${size} would take longer than the ${taskSeconds} s that your plan allows per task.${possible} Use a shorter part, a smaller picture, a lower frame rate or h264, or upgrade your plan.`,
  );
}

/** Seconds that one core of the reference machine needs for a plan's frames, with expensive content. */
export function coreSeconds({ operation, plan, probes }: Work): number {
  const frame = {
    megapixels: ((plan.width ?? 0) * (plan.height ?? 0)) / 1e6,
    perSecond: plan.fps ?? 0,
    filter: filterCost[operation] ?? filterCost.default,
  };
  return plan.steps.reduce((sum, step) => {
    if (step.kind === 'render') return sum + renderSeconds(step, frame, probes);
    if (step.kind === 'splice') return sum + spliceSeconds(step, frame);
    return sum;
  }, 0);
}

function renderSeconds(step: Render, frame: Frame, probes: readonly MediaProbe[]): number {
  const seconds = step.seconds ?? 0;
  const encoders = step.outputs.flatMap((output) => encoderIn(output) ?? []);
  if (encoders.length === 0) return 0;
  const each = encoders.reduce((sum, encoder) => sum + encodeCostOf(encoder) + frame.filter, 0);
  const reads = step.inputs.reduce((sum, input, index) => {
    if (!('source' in input)) return sum;
    const probe = probes[input.source];
    const video = probe?.still === false ? probe.video : null;
    const used = video && step.chains.some(({ from }) => from.includes(`${index}:${video.index}`));
    return used ? sum + readSeconds(video, seconds + step.lead) : sum;
  }, 0);
  return reads + seconds * frame.perSecond * frame.megapixels * each;
}

function readSeconds({ width, height, frameDuration }: VideoStream, seconds: number): number {
  return ((seconds / frameDuration) * width * height * readCost) / 1e6;
}

/** Frames encoded between copied packets are decoded, too; they have the result's size. */
function spliceSeconds({ codec, pieces }: Splice, frame: Frame): number {
  const encoded = pieces.reduce((sum, piece) => {
    if (piece.kind === 'range')
      return sum + (piece.head?.frames.length ?? 0) + (piece.tail?.frames.length ?? 0);
    return piece.kind === 'drawn' ? sum + piece.pts.length : sum;
  }, 0);
  return encoded * frame.megapixels * (readCost + frame.filter + encodeCost[codec]);
}

function encoderIn(output: Output): VideoEncoder | null {
  if (!('video' in output) || !output.video || 'copy' in output.video.encode) return null;
  return output.video.encode.encoder;
}

function encodeCostOf(encoder: VideoEncoder): number {
  if (encoder === 'prores_ks') return proresCost;
  for (const codec of Object.keys(encodeCost) as (keyof typeof encodeCost)[]) {
    if ((encoderOf[codec] as readonly VideoEncoder[]).includes(encoder)) return encodeCost[codec];
  }
  throw new Error(`no cost is known for ${encoder}`);
}
