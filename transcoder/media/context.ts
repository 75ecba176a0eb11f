import type { Capabilities } from '../ffmpeg/capabilities.ts';
import type { Programs } from '../ffmpeg/run.ts';
import type { Log } from '../log.ts';

/** What the engine works with; made once at start. */
export interface MediaContext {
  programs: Programs;
  capabilities: Capabilities;
  log: Log;
}
