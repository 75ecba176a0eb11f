import type { Plan } from '../../schema/api/plans.ts';

const MIB = 1024 ** 2;
/** Reserved for the transcoder's own process and the system. */
const MOST_RESERVED = 1024 * MIB;
const RESERVED = 0.2;
/** Code, thread stacks, audio and buffers of one process. */
const BASE_BYTES = 512 * MIB;
/** Reference pictures of H.264 and HEVC (16), and those in use by decoder threads and filters. */
const DECODED_PICTURES = 20;
/** 10-bit 4:2:0, or RGBA. */
const DECODED_PIXEL_BYTES = 4;
/** Lookahead and reference pictures of the slowest presets of x265 and SVT-AV1. */
const ENCODED_PICTURES = 100;
const ENCODED_PIXEL_BYTES = 1.5;

/** Memory limit for all processes of all tasks together, in bytes. */
export function memoryForTasks(machineBytes: number): number {
  return machineBytes - Math.min(MOST_RESERVED, machineBytes * RESERVED);
}

/** Memory limit in bytes of one process: what the plan's largest source and output need, at most its slot's memory. */
export function memoryShare(
  slotBytes: number,
  limits: Pick<Plan, 'source_pixels' | 'output_side_px'>,
): number {
  const decoding = limits.source_pixels * DECODED_PIXEL_BYTES * DECODED_PICTURES;
  const encoding = limits.output_side_px ** 2 * ENCODED_PIXEL_BYTES * ENCODED_PICTURES;
  return Math.min(slotBytes, Math.ceil(BASE_BYTES + decoding + encoding));
}
