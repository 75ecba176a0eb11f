import type { Warning } from '../../../schema/task/task.ts';
import type { Filter } from '../../model/steps.ts';
import type { StatedVideo } from '../../model/video-stream.ts';

/**
 * Deinterlaces first of all, because scaling or rotating would mix the two fields. Outputs one frame per frame; frames
 * not flagged as interlaced are unchanged.
 */
export function deinterlaced({ interlaced }: StatedVideo): Filter[] {
  return interlaced ? [{ name: 'bwdif', options: { mode: 'send_frame', deint: 'interlaced' } }] : [];
}

export function interlacedSource({ interlaced }: StatedVideo): Warning[] {
  const detail = 'The source is interlaced. Re-encoded parts were deinterlaced at the same frame rate.';
  return interlaced ? [{ code: 'source_interlaced', detail }] : [];
}
