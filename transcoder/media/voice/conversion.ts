import type { Engines } from '../../engines/engines.ts';
import type { Listened } from '../../engines/hosts/protocol.ts';
import type { Programs } from '../../ffmpeg/run.ts';
import type { Convert } from '../../model/steps.ts';

export type Passage = Listened['passages'][number];

/** Input of every voice conversion engine. Files are raw mono in the job's directory. */
export interface Conversion {
  engines: Engines;
  programs: Programs;
  directory: string;
  step: Convert;
  /** Analysis of the voice to convert. */
  heard: Listened;
  /** Analysis of the sample; null if none was given. */
  sample: Listened | null;
  providerKey?: string | undefined;
  signal?: AbortSignal | undefined;
  onProgress: (fraction: number) => void;
}

/** Applied shift of pitch and formants, in semitones. */
export interface Moved {
  pitch_semitones: number;
  formant_semitones: number;
}
