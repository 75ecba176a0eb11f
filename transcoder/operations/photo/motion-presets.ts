import type { PhotoPreset } from '../../../schema/media/photo-presets.ts';
import type { Path, View, Wave } from './easing.ts';

export interface Motion {
  preset: PhotoPreset;
  /** Size of the photo in units of a view: 1 along one axis, 1 or more along the other. */
  reach: { x: number; y: number };
  zoom: { start: number; end: number };
  /** 0 … 1 of the photo. */
  focus: { x: number; y: number };
  easing: 'linear' | 'ease_in_out';
  /** In seconds. */
  duration: number;
  /** Index of the photo. */
  index: number;
  seed: number;
}

/** Smallest distance of a pan, as a share of the view, to be visible as one. */
const LEAST_PAN = 0.12;
const BEAT_SECONDS = 2.5;
/** Foreground moves past the edge of the background, so the view stays away from the edges. */
const LEAST_DEPTH_ZOOM = 1.06;
/** How far ken_burns moves past the focus, as a share of the available room. */
const PAST = 0.3;

export function pathOf(motion: Motion): Path {
  const { preset, zoom, focus, reach, easing } = motion;
  const aim = { x: focus.x * reach.x, y: focus.y * reach.y };
  const at = (level: number, point: { x: number; y: number } = aim) => viewAround(reach, level, point);
  const between = (from: View, to: View): Path => ({ from, to, curve: { kind: easing }, sway: still });
  switch (preset) {
    case 'ken_burns': {
      const angle = 2 * Math.PI * random(motion.seed, motion.index, 0);
      const room = 1 / Math.min(zoom.start, zoom.end) - 1 / Math.max(zoom.start, zoom.end);
      const past = { x: aim.x + PAST * room * Math.cos(angle), y: aim.y + PAST * room * Math.sin(angle) };
      const [from, to] = [at(zoom.start), at(zoom.end, past)];
      return motion.index % 2 === 0 ? between(from, to) : between(to, from);
    }
    case 'zoom_in':
      return between(at(zoom.start), at(zoom.end));
    case 'zoom_out':
      return between(at(zoom.end), at(zoom.start));
    case 'pan_left':
    case 'pan_right': {
      const level = panZoom(reach.x, zoom);
      const [left, right] = [at(level, { x: 0, y: aim.y }), at(level, { x: reach.x, y: aim.y })];
      return preset === 'pan_left' ? between(right, left) : between(left, right);
    }
    case 'pan_up':
    case 'pan_down': {
      const level = panZoom(reach.y, zoom);
      const [top, bottom] = [at(level, { x: aim.x, y: 0 }), at(level, { x: aim.x, y: reach.y })];
      return preset === 'pan_up' ? between(bottom, top) : between(top, bottom);
    }
    case 'push_diagonal': {
      const corner = { x: focus.x < 0.5 ? 0 : reach.x, y: focus.y < 0.5 ? 0 : reach.y };
      const opposite = { x: reach.x - corner.x, y: reach.y - corner.y };
      const near = Math.max(zoom.start, 1 + (zoom.end - 1) * 0.4);
      return between(at(near, opposite), at(zoom.end, corner));
    }
    case 'drift': {
      const level = Math.max(zoom.start, zoom.end);
      const view = at(level);
      const sway = {
        x: wavesOf(motion, 0, view.x, reach.x - view.side),
        y: wavesOf(motion, 1, view.y, reach.y - view.side),
      };
      return { from: view, to: view, curve: { kind: 'linear' }, sway };
    }
    case 'parallax': {
      const near = Math.max(LEAST_DEPTH_ZOOM, Math.min(zoom.start, zoom.end));
      const [from, to] = [at(near), at(Math.max(near, zoom.start, zoom.end))];
      return zoom.start <= zoom.end ? between(from, to) : between(to, from);
    }
    case 'pulse': {
      const beats = Math.max(1, Math.round(motion.duration / BEAT_SECONDS));
      return { from: at(zoom.start), to: at(zoom.end), curve: { kind: 'pulse', beats }, sway: still };
    }
  }
}

const still: Path['sway'] = { x: [], y: [] };

/** The view at this zoom around a point, kept inside the photo. */
function viewAround(reach: { x: number; y: number }, zoom: number, point: { x: number; y: number }): View {
  const side = 1 / zoom;
  const along = (middle: number, length: number) => Math.min(length - side, Math.max(0, middle - side / 2));
  return { x: along(point.x, reach.x), y: along(point.y, reach.y), side };
}

function panZoom(length: number, { start, end }: Motion['zoom']): number {
  const room = (level: number) => length * level - 1;
  return room(start) >= LEAST_PAN ? start : Math.max(start, end);
}

/** Two slow sine waves that stay inside the photo on both sides of the view. */
function wavesOf(motion: Motion, axis: number, low: number, high: number): Wave[] {
  const reach = 0.9 * Math.min(low, Math.max(0, high - low));
  const turnsIn = (seconds: number) => motion.duration / seconds;
  const phase = (n: number) => random(motion.seed, motion.index, 10 * axis + n);
  return [
    { reach: reach * 0.65, turns: turnsIn(axis === 0 ? 11 : 9), phase: phase(1) },
    { reach: reach * 0.35, turns: turnsIn(axis === 0 ? 5.3 : 4.4), phase: phase(2) },
  ];
}

/**
 * A deterministic number 0 … 1 for these arguments. https://github.com/bryc/code/blob/master/jshash/PRNGs.md#mulberry32
 */
function random(seed: number, index: number, n: number): number {
  let state = (seed ^ Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(n + 1, 0x85ebca6b)) | 0;
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
