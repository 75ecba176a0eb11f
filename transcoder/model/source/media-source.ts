import type { Demuxer } from '../../../schema/media/demuxers.ts';
import type { Span } from './byte-ranges.ts';
import type { MediaProbe } from './media-probe.ts';
import type { SourceClock } from './source-clock.ts';

/** A source file and the only demuxer that ffmpeg may open it with. */
export interface SourceFile {
  path: string;
  format: Demuxer;
}

/** What a source was before it was remuxed. */
export interface Arrived {
  format: Demuxer;
  bytes: number;
  interlaced?: boolean;
  /** Of a source of which only a part was remuxed, its clock in that part; otherwise absent. */
  clock?: SourceClock;
  /** How sound was coded that was decoded, by its stream in the remuxed file. */
  decoded: readonly { index: number; codec: string; profile: string | null; kbps: number | null }[];
}

/** A source of a job. It may be downloaded only in part; code that needs all of it calls `whole`. */
export interface MediaSource {
  format: Demuxer;
  /** Size of the whole file in bytes. */
  bytes: number;
  /** What it was, if it was remuxed; otherwise absent. */
  arrived?: Arrived;
  /** Whether the index of an mp4 is available, which describes every packet except its bytes. */
  indexed: boolean;
  /** Fetches missing bytes. @returns the complete file for programs to open. Throws TaskFailure with a `source_…` code. */
  whole(): Promise<SourceFile>;
  /** The file in its current state, for a worker process, which reads available bytes and has missing ones fetched. */
  parts(): SourceParts;
  /**
   * Fetches these bytes into the file, and some of the following ones: many if the reader goes `on`, none if that is null.
   * @returns an available span that contains the wanted one. Throws TaskFailure with a `source_…` code.
   */
  bring(wanted: Span, on: boolean | null): Promise<Span>;
}

/** A sparse file: missing bytes read as zeros. */
export interface SourceParts extends SourceFile {
  bytes: number;
  /** Available bytes in ascending order; null if the file is complete. */
  present: Span[] | null;
  /**
   * Second at which the job reads first, which is where packets are read to complete the stream information; null for the start.
   * Only for an mp4 with a complete index.
   */
  near: number | null;
}

/** Bytes of a source that have not arrived. */
export const missingBytes = ({ bytes, present }: SourceParts): number =>
  present === null ? 0 : present.reduce((left, [from, to]) => left - (to - from), bytes);

export type ProbedSource = MediaSource & { probe: MediaProbe };
