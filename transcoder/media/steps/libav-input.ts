import { join } from 'node:path';
import type { MediaSource } from '../../model/media-source.ts';
import type { SpliceInput } from '../../model/steps.ts';
import { completeSource } from '../execute/complete-source.ts';

/** The source that a step of the libav pool reads: one of the job, or a file that an earlier step has made. */
export async function inputSource(
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

/** The files of the job's directory among these inputs. */
export const filesAmong = (inputs: readonly SpliceInput[]): string[] =>
  inputs.flatMap((input) => ('file' in input ? [input.file] : []));
