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

/** The result of an operation before it is stored. The first file is the main one. */
export interface Rendered {
  files: [RenderedFile, ...RenderedFile[]];
  /** What verification expects of the files. */
  expect: Plan['expect'];
  /** Seconds; null for images and documents. */
  duration: number | null;
  width: number | null;
  height: number | null;
  fps: number | null;
  /** Parses with the operation's `data` schema. */
  data: Record<string, unknown>;
  time_map: TimeMap;
  warnings: Warning[];
}
