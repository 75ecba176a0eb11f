import type { ProbedSource } from '../../model/media-source.ts';
import type { MediaContext } from '../execute/media-context.ts';

export interface StepConditions {
  /** The job's directory; every file is made in it. */
  directory: string;
  sources: readonly ProbedSource[];
  /** The caller's key of a provider, where one came with the request. */
  providerKey?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Largest file that may be written on the way; that of the largest plan where it is not given. */
  fileBytes?: number | undefined;
  /** Called with 0 … 1. */
  onProgress: (fraction: number) => void;
}

/** One kind of step. The files it names are those of the job's directory, so the steps of a plan form a graph. */
export interface StepRunner<S> {
  /** The share of the task's time, in seconds of encoded video; next to nothing where it is left out. */
  weight?: (step: S) => number;
  reads: (step: S) => readonly string[];
  writes: (step: S) => readonly string[];
  /** @returns findings for the report of the operation. Throws TaskFailure, EngineFailure, or the reason of the signal. */
  run: (ctx: MediaContext, step: S, conditions: StepConditions) => Promise<object | undefined>;
}
