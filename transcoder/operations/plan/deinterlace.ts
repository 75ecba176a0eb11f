import type { Warning } from '../../../schema/task/task.ts';
import type { Filter } from '../../model/steps.ts';
import type { StatedVideo } from '../../model/video-stream.ts';

/**
 * A whole frame for each that is made of two fields, before anything else is done with it: what scales or turns fields
 * mixes their moments. Frames that are not said to be interlaced stay as they are, and their number stays the same.
 */
export function deinterlaced({ interlaced }: StatedVideo): Filter[] {
  return interlaced ? [{ name: 'bwdif', options: { mode: 'send_frame', deint: 'interlaced' } }] : [];
}

export function interlacedSource({ interlaced }: StatedVideo): Warning[] {
  const detail = 'The source is interlaced. Re-encoded parts were deinterlaced at the same frame rate.';
  return interlaced ? [{ code: 'source_interlaced', detail }] : [];
}
