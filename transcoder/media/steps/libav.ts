import { join } from 'node:path';
import { completeSource, type MediaSource } from '../../model/media-source.ts';
import type { Mix, Splice, SpliceInput, Trim } from '../../model/plan.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { EngineFailure } from '../libav/pool.ts';
import { mixRequest } from './mix.ts';

/** What steps of the engine are done with. Each throws EngineFailure, the reason of `signal`, or TaskFailure. */
interface Given {
  /** The job's directory. */
  directory: string;
  sources: readonly MediaSource[];
  signal?: AbortSignal | undefined;
}

export async function mix(
  { engine }: MediaContext,
  step: Mix,
  { directory, sources, signal }: Given,
  onProgress: (fraction: number) => void,
): Promise<void> {
  if (!engine) throw new EngineFailure('there is no engine');
  await engine.mix(mixRequest(step, sources, directory), { sources, signal, onProgress });
}

export async function splice(
  { engine }: MediaContext,
  step: Splice,
  { directory, sources, signal }: Given,
  onProgress: (fraction: number) => void,
): Promise<void> {
  if (!engine) throw new Error('a step of the engine without an engine');
  const read = await Promise.all(
    step.inputs.map(async (input) => ({ ...input, source: await sourceOf(input, directory, sources) })),
  );
  const { seconds: _, ...request } = step;
  const file = join(directory, step.file);
  const inputs = read.map(({ source, stream }) => ({ source: source.parts(), stream }));
  const asked = { sources: read.map(({ source }) => source), signal, onProgress };
  await engine.splice({ ...request, inputs, file }, asked);
}

export async function trim(
  { engine }: MediaContext,
  { seconds: _, ...step }: Trim,
  { directory, sources, signal }: Given,
): Promise<void> {
  if (!engine) throw new EngineFailure('there is no engine');
  const source = await sourceOf(step.input, directory, sources);
  const input = { source: source.parts(), stream: step.input.stream };
  await engine.trim({ ...step, input, file: join(directory, step.file) }, { sources: [source], signal });
}

async function sourceOf(
  input: SpliceInput,
  directory: string,
  sources: readonly MediaSource[],
): Promise<MediaSource> {
  if ('file' in input) {
    return completeSource({ path: join(directory, input.file), format: input.format });
  }
  const source = sources[input.source];
  if (!source) throw new Error(`a step reads source ${input.source}, which there is not`);
  return source;
}
