import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Backwards } from '../../model/steps.ts';
import type { StepRunner } from './step-runner.ts';

/** Moments (one sample of each channel) that are in memory at a time, from either end. */
const BLOCK = 1 << 16;

/** Exchanges blocks from both ends of a file of floats, each turned round. */
async function turnRound(path: string, channels: number, signal: AbortSignal | undefined): Promise<void> {
  const bytes = 4 * channels;
  const file = await open(path, 'r+');
  try {
    const read = async (at: number, count: number) => {
      const block = new Float32Array(count * channels);
      await file.read(new Uint8Array(block.buffer), 0, block.byteLength, at * bytes);
      return backwards(block, channels);
    };
    const write = (at: number, block: Float32Array<ArrayBuffer>) =>
      file.write(new Uint8Array(block.buffer), 0, block.byteLength, at * bytes);
    let [low, high] = [0, Math.floor((await file.stat()).size / bytes)];
    while (high - low > 2 * BLOCK) {
      signal?.throwIfAborted();
      const [first, last] = [await read(low, BLOCK), await read(high - BLOCK, BLOCK)];
      await write(low, last);
      await write(high - BLOCK, first);
      low += BLOCK;
      high -= BLOCK;
    }
    if (high > low) await write(low, await read(low, high - low));
  } finally {
    await file.close();
  }
}

function backwards(block: Float32Array, channels: number): Float32Array<ArrayBuffer> {
  const result = new Float32Array(block.length);
  for (let at = 0; at < block.length; at += channels) {
    result.set(block.subarray(at, at + channels), block.length - channels - at);
  }
  return result;
}

export const turningRound: StepRunner<Backwards> = {
  reads: ({ file }) => [file],
  writes: ({ file }) => [file],
  run: async (_, { file, channels }, { directory, signal }) => {
    await turnRound(join(directory, file), channels, signal);
    return undefined;
  },
};
