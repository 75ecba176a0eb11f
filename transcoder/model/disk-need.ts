import type { Plan } from './plan.ts';

/** Bits per pixel of a rendered picture with this service's settings, for demanding content. */
const BITS_PER_PIXEL = 0.1;
const SOUND_BITS = 256_000;
/** Bytes per second of intermediate audio: 48 kHz, two channels of 32 bits. */
const RAW_SOUND_BYTES = 48_000 * 2 * 4;
const raw: readonly Plan['steps'][number]['kind'][] = [
  'separate',
  'convert',
  'mix',
  'level',
  'place',
  'stretch',
];
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
  const sound = plan.steps.filter(({ kind }) => raw.includes(kind)).length * seconds * RAW_SOUND_BYTES;
  return Math.ceil(result * (plan.steps.length > 1 ? 2 : 1) + sound);
}
