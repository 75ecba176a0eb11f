import {
  isMap,
  type MapName,
  type TransitionName,
  transitionNames,
  type XfadeName,
} from '../../schema/media/transitions.ts';

/** The transitions that are drawn by a map: those of its kind, and those of xfade that ffmpeg 5.1 lacks. */
export type MapShape = MapName | Extract<XfadeName, `${string}wind`>;

const isWind = (name: TransitionName): boolean => name.endsWith('wind');
const shapes: ReadonlySet<unknown> = new Set(transitionNames.filter((name) => isMap(name) || isWind(name)));

export const isMapShape = (value: unknown): value is MapShape => shapes.has(value);
