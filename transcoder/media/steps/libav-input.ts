import { join } from 'node:path';
import type { MediaSource } from '../../model/source/media-source.ts';
import type { SpliceInput } from '../../model/steps.ts';
import { completeSource } from '../execute/complete-source.ts';

/** Source of a libav step: one of the job's sources, or a file from an earlier step. */
export async function inputSource(
  input: SpliceInput,
  directory: string,
  sources: readonly MediaSource[],
): Promise<MediaSource> {
  if ('file' in input) {
    return completeSource({ path: join(directory, input.file), format: input.format });
  }
  const source = sources[input.source];
  if (!source) throw new Error(`a step reads source ${input.source}, which does not exist`);
  return source;
}

/** Those of the inputs that are files in the job's directory. */
export const filesAmong = (inputs: readonly SpliceInput[]): string[] =>
  inputs.flatMap((input) => ('file' in input ? [input.file] : []));
