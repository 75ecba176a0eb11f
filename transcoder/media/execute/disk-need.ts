import { greatest } from '../../model/numbers/min-max.ts';
import type { Plan } from '../../model/plan.ts';
import type { Step } from '../../model/steps.ts';
import { rawSoundOf, spentAfter } from './raw-sound.ts';

/** Bits per pixel of a rendered picture with this service's settings, for demanding content. */
const BITS_PER_PIXEL = 0.1;
const SOUND_BITS = 256_000;
const SAMPLE_BYTES = 4;
const STEREO = 2;
/** Bytes per second of intermediate audio whose form is not stated. */
const RAW_SOUND_BYTES = 48_000 * STEREO * SAMPLE_BYTES;
const copying: readonly Plan['steps'][number]['kind'][] = ['splice', 'trim', 'append', 'remux'];

type Planned = Pick<Plan, 'steps' | 'duration' | 'width' | 'height' | 'fps'>;

/**
 * Bytes that a plan is expected to write, intermediate files included. A rough estimate: it detects a disk that is far too
 * small before hours of work, but does not guarantee that the space suffices.
 * @param sourceBytes Size of all sources together, the upper bound for copied packets.
 */
export function bytesToWrite(plan: Planned, sourceBytes: number, outputBytes: number): number {
  const seconds = plan.duration ?? 0;
  const pixels = (plan.width ?? 0) * (plan.height ?? 0) * (plan.fps ?? 0);
  const rendered = (seconds * (pixels * BITS_PER_PIXEL + SOUND_BITS)) / 8;
  const copies = plan.steps.some(({ kind }) => copying.includes(kind));
  const result = Math.min(outputBytes, copies ? Math.max(rendered, sourceBytes) : rendered);
  const sound = mostSound(plan.steps, seconds);
  return Math.ceil(result * (plan.steps.length > 1 ? 2 : 1) + sound);
}

/** Most bytes of intermediate audio at one time. @param seconds Of the output, for a step that does not state its own. */
function mostSound(steps: readonly Step[], seconds: number): number {
  const spent = spentAfter(steps);
  const sizes = new Map<string, number>();
  let [now, most] = [0, 0];
  const become = (file: string, bytes: number) => {
    now += bytes - (sizes.get(file) ?? 0);
    sizes.set(file, bytes);
  };
  for (const [index, step] of steps.entries()) {
    const files = rawSoundOf(step);
    const parts = step.kind === 'append' ? step.parts : [];
    const read = parts.map((part) => sizes.get(part) ?? 0);
    const bytes = parts.length > 0 ? read.reduce((sum, part) => sum + part) : soundBytes(step, seconds);
    // Parts are deleted one by one while they are appended.
    for (const part of parts) become(part, 0);
    for (const file of files) become(file, bytes / files.length);
    most = Math.max(most, now + greatest([0, ...read]));
    for (const file of spent[index] ?? []) become(file, 0);
  }
  return most;
}

/** Bytes of intermediate audio that a step writes. @param seconds Of the output, for a step that does not state its own. */
function soundBytes(step: Step, seconds: number): number {
  switch (step.kind) {
    case 'mix':
      return (step.seconds ?? seconds) * RAW_SOUND_BYTES;
    case 'stretch':
    case 'level':
      return step.samples * step.channels * SAMPLE_BYTES;
    case 'convert':
    case 'place':
      return step.samples * SAMPLE_BYTES;
    case 'separate': {
      const files = [step.vocals, step.music].filter((file) => file !== null);
      return files.length * step.seconds * step.sampleRate * STEREO * SAMPLE_BYTES;
    }
    default:
      return 0;
  }
}
