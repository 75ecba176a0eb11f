import type { Failure } from './failures.ts';
import type { Choices, Settings } from './settings.ts';

/** What the page asks of the worker that reads a file. Each worker has one file, and is ended with it. */
export type Request =
  | { kind: 'inspect'; file: File }
  /** `duration` is that of the file, over which the columns are spread. */
  | { kind: 'peaks'; file: File; track: number; duration: number; columns: number }
  | { kind: 'frame'; file: File; at: number }
  | { kind: 'convert'; file: File; settings: Settings; choices: Choices; save: FileSystemFileHandle | null };

export interface TrackInfo {
  number: number;
  /** Language, name, codec and channels, as people read them. */
  label: string;
  isDecodable: boolean;
  failure: Failure | null;
  sampleRate: number;
  channels: number;
  codec: string | null;
}

/** What is known of a file before it is converted. */
export interface Inspection {
  duration: number;
  tracks: TrackInfo[];
  title: string;
  artist: string;
  hasPicture: boolean;
  hasCover: boolean;
}

export interface Converted {
  /** The MP3; null if it was written to disk. */
  blob: Blob | null;
  bytes: number;
  seconds: number;
  isCopy: boolean;
  /** Seconds that the file promises and does not have. */
  missing: number;
}

export type Answer =
  | { kind: 'inspected'; inspection: Inspection }
  | { kind: 'peaks'; peaks: number[]; isWhole: boolean }
  | { kind: 'frame'; picture: Blob | null }
  | { kind: 'progress'; fraction: number }
  | { kind: 'converted'; result: Converted }
  | { kind: 'failed'; failure: Failure };
