import type { Warning } from '../../../../schema/task/task.ts';
import { evenCrop } from '../filters.ts';
import { displaySize, uprightSize } from '../geometry.ts';
import { checkSide, movingOf } from '../require-streams.ts';
import { videoTarget } from '../video-target.ts';
import { backdropTarget, drawnLike } from './backdrop.ts';
import type { Work } from './work.ts';

/** How the pictures of clips are encoded, whatever the clips. */
export type Encoding = ReturnType<typeof encodingOf>;

export function encodingOf({ request, probe, drawn }: Work, warnings: Warning[]) {
  const { input, limits, capabilities } = request;
  const { video: own } = movingOf(probe);
  const backdrop = drawn?.alone?.backdrop;
  const video = backdrop ? drawnLike(own) : own;
  const upright = uprightSize(video);
  const display = displaySize(video);
  const target = backdrop
    ? backdropTarget(backdrop, video, request, display)
    : videoTarget(video, input, display, capabilities);
  const filters = [...target.before, ...(target.even ? evenCrop(upright.width, upright.height) : [])];
  const width = target.even ? upright.width - (upright.width % 2) : upright.width;
  const height = target.even ? upright.height - (upright.height % 2) : upright.height;
  checkSide({ width, height }, limits.output_side_px);
  warnings.push(...target.warnings);
  if (width !== upright.width || height !== upright.height) {
    const detail = `${upright.width} × ${upright.height} px was reduced to ${width} × ${height} px: ${target.codec} needs even sides.`;
    warnings.push({ code: 'size_reduced', detail });
  }
  return { video, target, filters, size: { width, height } };
}

/** @param moved Whether the output plays at another rate. */
export function variableRate(moved = false): Warning {
  const time = moved ? 'moves to its own new time' : 'keeps its original time';
  return { code: 'source_vfr', detail: `The source has a variable frame rate; every frame ${time}.` };
}
