import type { PlanRequest } from '../../model/plan.ts';
import { type Clip, clipsOf } from '../plan/compile/clips.ts';
import type { Frames } from '../plan/frames.ts';
import type { Delivered } from '../plan/splice-compatibility.ts';
import type { Segment, SilenceInput } from './detect.ts';

export type SilenceRequest = PlanRequest<SilenceInput>;

/** A request that leaves parts of its only source. */
export type EditRequest = PlanRequest<Delivered & Pick<SilenceInput, 'tracks' | 'mode'>>;

/** What is left of the segments, in order, end to end. */
export function clipsLeft(
  segments: readonly Segment[],
  input: Pick<SilenceInput, 'mode' | 'silent_speed'>,
  grid: Frames | null,
): Clip[] {
  const left = segments.filter(({ action }) => action === 'keep' || input.mode !== 'remove');
  const spans = left.map(({ start, end, action }) => {
    const silent = action === 'silent';
    const rate = silent && input.mode === 'speed_up' ? input.silent_speed : 1;
    return { start, end, rate, muted: silent && input.mode === 'mute' };
  });
  return clipsOf(spans, grid);
}
