import type { Engines } from '../../engines/engines.ts';
import type { Listened } from '../../engines/hosts/protocol.ts';
import type { Programs } from '../../ffmpeg/run.ts';
import type { Convert } from '../../model/steps.ts';

export type Passage = Listened['passages'][number];

/** What every engine converts a voice with. Raw files, one channel, in the job's directory. */
export interface Conversion {
  engines: Engines;
  programs: Programs;
  directory: string;
  step: Convert;
  /** What is known of the voice that is to be converted. */
  heard: Listened;
  providerKey?: string | undefined;
  signal?: AbortSignal | undefined;
  onProgress: (fraction: number) => void;
}

/** Semitones by which pitch and formants were moved. */
export interface Moved {
  pitch_semitones: number;
  formant_semitones: number;
}
