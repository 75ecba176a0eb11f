import type { ProbedSource } from '../../model/source/media-source.ts';
import type { MediaContext } from '../execute/media-context.ts';

export interface StepConditions {
  /** The job's directory; steps create every file there. */
  directory: string;
  sources: readonly ProbedSource[];
  /** The caller's provider key, if the request included one. */
  providerKey?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Largest intermediate file allowed; defaults to the limit of the largest plan. */
  fileBytes?: number | undefined;
  /** Called with a fraction 0–1. */
  onProgress: (fraction: number) => void;
}

/** One kind of step. Steps name the files of the job's directory that they read and write, which makes a plan a graph. */
export interface StepRunner<S> {
  /** Share of the task's time in seconds of encoded video; negligible if absent. */
  weight?: (step: S) => number;
  reads: (step: S) => readonly string[];
  writes: (step: S) => readonly string[];
  /** @returns findings for the operation's report. Throws TaskFailure, LibavFailure, or the reason of the signal. */
  run: (ctx: MediaContext, step: S, conditions: StepConditions) => Promise<object | undefined>;
}
