import type { Span } from './byte-ranges.ts';
import type { Demuxer } from './demuxers.ts';
import type { MediaProbe } from './media-probe.ts';

/** A source as ffmpeg opens it: with the one demuxer that was chosen for it and no other. */
export interface SourceFile {
  path: string;
  format: Demuxer;
}

/** A source of a job. Perhaps only parts of it are here: what needs all of it waits for `whole`. */
export interface MediaSource {
  format: Demuxer;
  /** Size of the whole file in bytes. */
  bytes: number;
  /** What came, where it was put into the container that `format` opens; absent otherwise. */
  arrived?: { format: Demuxer; bytes: number };
  /** Whether the index of an mp4 is here, which tells all of its packets but their bytes. */
  indexed: boolean;
  /** Fetches what is missing. @returns the file, which programs may open. Throws TaskFailure with a `source_…` code. */
  whole(): Promise<SourceFile>;
  /** The file as it is now, for a worker process: it reads what is present and has the rest brought. */
  parts(): SourceParts;
  /**
   * Brings these bytes into the file, and some behind them where the reader goes `on` from here.
   * @returns a span of bytes that is present and holds the wanted one. Throws TaskFailure with a `source_…` code.
   */
  bring(wanted: Span, on: boolean): Promise<Span>;
}

/** A file with holes: what is not present reads as zeros. */
export interface SourceParts extends SourceFile {
  bytes: number;
  /** What is here, in rising order; null where all of it is. */
  present: Span[] | null;
  /**
   * Where in seconds the job reads first, so that what is learnt of the streams is learnt there; null for the start. Only
   * of an mp4 whose index is whole.
   */
  near: number | null;
}

export type ProbedSource = MediaSource & { probe: MediaProbe };
