import type { TimeMap, Warning } from '../../../schema/task/task.ts';
import type { Plan } from '../../model/plan.ts';

export interface RenderedFile {
  /** `video`, `audio`, `picture`, `frame_001`, `sheet`, `document`. */
  role: string;
  /** Absolute path inside the job's directory. */
  path: string;
  /** Extension of the download's name, without the dot. */
  extension: string;
  media_type: string;
}

/** What an operation made, before it is stored. The first file is the main one. */
export interface Rendered {
  files: [RenderedFile, ...RenderedFile[]];
  /** What has to be true of the files. */
  expect: Plan['expect'];
  /** Seconds; null for pictures and documents. */
  duration: number | null;
  width: number | null;
  height: number | null;
  fps: number | null;
  /** Parses with the `data` schema of the operation. */
  data: Record<string, unknown>;
  time_map: TimeMap;
  warnings: Warning[];
}
