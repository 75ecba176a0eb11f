import type { Warning } from '../../../../schema/task/task.ts';
import { displaySize, uprightSize } from '../geometry.ts';
import { movingOf } from '../require-streams.ts';
import { encodable, videoTarget } from '../video-target.ts';
import { backdropTarget, drawnLike } from './backdrop.ts';
import type { Work } from './work.ts';

/** How the pictures of clips are encoded, whatever the clips. */
export type Encoding = ReturnType<typeof encodingOf>;

export function encodingOf({ request, probe, drawn }: Work, warnings: Warning[]) {
  const { input, limits, capabilities } = request;
  const { video: own } = movingOf(probe);
  const backdrop = drawn?.alone?.backdrop;
  const video = backdrop ? drawnLike(own) : own;
  const display = displaySize(video);
  const target = backdrop
    ? backdropTarget(backdrop, video, request, display)
    : videoTarget(video, input, display, capabilities);
  const { size, filters } = encodable(uprightSize(video), target, limits.output_side_px, warnings);
  return { video, target, filters: [...target.before, ...filters], size };
}

/** @param moved Whether the output plays at another rate. */
export function variableRate(moved = false): Warning {
  const time = moved ? 'moves to its own new time' : 'keeps its original time';
  return { code: 'source_vfr', detail: `The source has a variable frame rate; every frame ${time}.` };
}
