import type { Engines } from '../../engines/engines.ts';
import type { Programs } from '../../ffmpeg/run.ts';
import type { Log } from '../../log.ts';
import type { Capabilities } from '../../model/capabilities.ts';
import type { Engine } from '../libav/pool.ts';

/** What the engine works with; made once at start. */
export interface MediaContext {
  programs: Programs;
  capabilities: Capabilities;
  /** Null where libav cannot be loaded; the ffmpeg program does everything then. */
  engine: Pick<Engine, 'ask'> | null;
  /** Those of speech, stems and depth; null where none are wanted. */
  engines: Engines | null;
  log: Log;
}
