import type { Outcome } from '../../model/plan.ts';

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
export interface Rendered extends Outcome {
  files: [RenderedFile, ...RenderedFile[]];
}
