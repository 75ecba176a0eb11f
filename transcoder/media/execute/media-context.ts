import type { Engines } from '../../engines/engines.ts';
import type { Programs } from '../../ffmpeg/run.ts';
import type { Log } from '../../log.ts';
import type { Capabilities } from '../../model/capabilities.ts';
import type { LibavPool } from '../libav/pool.ts';

/** Dependencies of the media code; created once at startup. */
export interface MediaContext {
  programs: Programs;
  capabilities: Capabilities;
  /** Null if libav cannot be loaded; everything then goes through the ffmpeg program. */
  libav: Pick<LibavPool, 'ask'> | null;
  /** Engines for speech, stems and depth; null if disabled. */
  engines: Engines | null;
  log: Log;
}
