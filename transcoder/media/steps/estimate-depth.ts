import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EstimateDepth } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { netpbm } from '../photo/planes.ts';
import type { StepRunner } from './step-runner.ts';

/** Input normalization of the trained network: ImageNet mean and standard deviation. */
const MEAN = [0.485, 0.456, 0.406];
const DEVIATION = [0.229, 0.224, 0.225];

/** Writes one float per pixel; higher values are nearer. Throws `engine_unavailable`, `engine_failed`. */
async function estimateDepth(
  { engines }: MediaContext,
  { picture, file }: EstimateDepth,
  { directory, signal }: { directory: string; signal?: AbortSignal | undefined },
): Promise<void> {
  if (!engines)
    throw new TaskFailure(
      'engine_unavailable',
      'No depth engine is available, so `parallax` cannot be used. Choose another preset.',
    );
  const { width, height, pixels } = netpbm(await readFile(join(directory, picture)));
  const input = join(directory, `${file}.in`);
  const values = normalized(pixels, width * height);
  await writeFile(input, new Uint8Array(values.buffer));
  const { model = '' } = engines.modelOf('depth_anything');
  await engines.infer(
    'depth_anything',
    {
      model,
      inputs: [{ name: 'pixel_values', type: 'float32', dims: [1, 3, height, width], from: { file: input } }],
      outputs: [{ name: 'predicted_depth', file: join(directory, file) }],
    },
    { signal },
  );
}

/** Converts interleaved bytes to one plane of floats per color. */
function normalized(pixels: Uint8Array, count: number): Float32Array {
  return Float32Array.from({ length: 3 * count }, (_, index) => {
    const color = Math.floor(index / count);
    const value = (pixels[(index % count) * 3 + color] ?? 0) / 255;
    return (value - (MEAN[color] ?? 0)) / (DEVIATION[color] ?? 1);
  });
}

export const depth: StepRunner<EstimateDepth> = {
  reads: ({ picture }) => [picture],
  writes: ({ file }) => [file],
  run: async (ctx, step, conditions) => {
    await estimateDepth(ctx, step, conditions);
    return undefined;
  },
};
