import { availableParallelism } from 'node:os';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { readFloats, writeFloats } from './floats.ts';
import { onnxRequest, type TensorRequest, type Tensors } from './protocol.ts';
import { latestLoaded, serve, type Work } from './serve.ts';
import { voiceActivityOf } from './voice-activity.ts';

/** Two, because a pair of networks may alternate over the chunks of one file. */
const sessionOf = latestLoaded<InferenceSession>(2);

serve(onnxRequest, (request, work) =>
  request.kind === 'run' ? inferred(request, work) : voiceActivityOf(request, work),
);

async function inferred(request: TensorRequest, { loaded }: Work): Promise<Tensors> {
  const session = await sessionOf(request.model, () =>
    InferenceSession.create(request.model, {
      executionProviders: ['cpu'],
      intraOpNumThreads: Math.min(4, availableParallelism()),
      logSeverityLevel: 3,
    }),
  );
  loaded();
  const feeds = Object.fromEntries(
    await Promise.all(request.inputs.map(async (input) => [input.name, await tensorOf(input)] as const)),
  );
  const [first = ''] = session.outputNames;
  const wanted = request.outputs.map(({ name, file }) => ({ name: name ?? first, file }));
  const results = await session.run(
    feeds,
    wanted.map(({ name }) => name),
  );
  const outputs = await Promise.all(
    wanted.map(async ({ name, file }) => {
      const tensor = results[name];
      if (!(tensor?.data instanceof Float32Array)) throw new Error(`${name} is not a float32 tensor`);
      await writeFloats(file, tensor.data);
      return { name, dims: [...tensor.dims] };
    }),
  );
  return { outputs };
}

async function tensorOf({ type, dims, from }: TensorRequest['inputs'][number]): Promise<Tensor> {
  if (type === 'int64') {
    if (!('values' in from)) throw new Error('int64 tensors must be passed as values, not as a file');
    return new Tensor(type, BigInt64Array.from(from.values, BigInt), dims);
  }
  const floats = 'values' in from ? Float32Array.from(from.values) : await readFloats(from.file);
  return new Tensor(type, floats, dims);
}
