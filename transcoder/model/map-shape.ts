import {
  isMap,
  type MapName,
  type TransitionName,
  transitionNames,
  type XfadeName,
} from '../../schema/media/transitions.ts';

/** Transitions drawn with a luma map: those that the schema lists under `map`, and the xfade transitions that ffmpeg 5.1 lacks. */
export type MapShape = MapName | Extract<XfadeName, `${string}wind`>;

const isWind = (name: TransitionName): boolean => name.endsWith('wind');
const shapes: ReadonlySet<unknown> = new Set(transitionNames.filter((name) => isMap(name) || isWind(name)));

export const isMapShape = (value: unknown): value is MapShape => shapes.has(value);
