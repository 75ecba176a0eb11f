import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';
import type { FaceWeights } from './face-network.ts';

const MODEL = '@vladmandic/face-api/model/tiny_face_detector_model';

const manifest = z.tuple([
  z.object({
    weights: z.array(
      z.object({
        name: z.string(),
        shape: z.array(z.number().int().positive()),
        quantization: z.object({ dtype: z.literal('uint8'), scale: z.number(), min: z.number() }),
      }),
    ),
  }),
]);

/** Reads the weights of the face detector from the package that carries them: one byte a weight. */
export function readFaceWeights(): FaceWeights {
  const require = createRequire(import.meta.url);
  const file = (ending: string) => readFileSync(require.resolve(`${MODEL}${ending}`));
  const [{ weights }] = manifest.parse(JSON.parse(file('-weights_manifest.json').toString()));
  const bytes = file('.bin');
  const named = new Map<string, Float32Array>();
  let at = 0;
  for (const { name, shape, quantization } of weights) {
    const length = shape.reduce((all, side) => all * side, 1);
    const { scale, min } = quantization;
    named.set(
      name,
      Float32Array.from(bytes.subarray(at, at + length), (byte) => byte * scale + min),
    );
    at += length;
  }
  if (at !== bytes.length) throw new Error(`the face detector has ${bytes.length} weights, expected ${at}`);
  const of = (name: string) => {
    const values = named.get(name);
    if (!values) throw new Error(`the face detector has no ${name}`);
    return values;
  };
  return {
    first: { filters: of('conv0/filters'), bias: of('conv0/bias') },
    separable: [1, 2, 3, 4, 5].map((n) => ({
      depthwise: of(`conv${n}/depthwise_filter`),
      pointwise: of(`conv${n}/pointwise_filter`),
      bias: of(`conv${n}/bias`),
    })),
    last: { filters: of('conv8/filters'), bias: of('conv8/bias') },
  };
}
