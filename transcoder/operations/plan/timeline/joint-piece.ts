import { transitions } from '../../../../schema/media/transitions.ts';
import { graphText } from '../../../model/filter-text.ts';
import { canSeek } from '../../../model/source/media-probe.ts';
import { timeUnit, type VideoStream } from '../../../model/source/video-stream.ts';
import type { Piece } from '../../../model/splice.ts';
import { REORDER } from '../smart-render.ts';
import { type Canvas, jointDrawing, type Part, readFrom } from './parts.ts';
import { type Clip, type Gap, isClip, type Joint, type Timeline } from './timeline.ts';

/** libav's filter supports every transition that xfade draws. */
const known: ReadonlySet<string> = new Set(
  transitions.filter(({ kind }) => kind === 'xfade').map(({ name }) => name),
);

/** A joint of two clips that play at their own rate. */
export interface DrawnJoint {
  joint: Joint;
  a: Clip;
  b: Clip;
}

export function isDrawn(shows: Part['shows']): shows is DrawnJoint {
  const drawn = (item: Clip | Gap) => isClip(item) && item.rate === 1;
  return 'joint' in shows && drawn(shows.a) && drawn(shows.b);
}

/**
 * A joint as frames that libav draws.
 * @param input Index of the splice's input for a source and stream, which is not `not`.
 */
export function jointPiece(
  timeline: Timeline,
  canvas: Canvas,
  { at, frames }: Part,
  shows: DrawnJoint,
  model: VideoStream,
  input: (source: number, stream: number, not?: number) => number,
): Piece {
  const { fps } = timeline.rate;
  const { drawing, chains } = jointDrawing(timeline, { ...canvas, transitions: known }, shows);
  const feedOf = (clip: Clip, first: number, not?: number) => {
    const { source, probe, video } = clip;
    const [unit, frame] = [timeUnit(video), video.frameDuration];
    const begin = readFrom(timeline, clip, first);
    const tick = (time: number) => Math.floor(time / unit);
    return {
      input: input(source, video.index, not),
      seek: canSeek(probe) ? tick(begin - REORDER * frame) : null,
      from: video.pace === 'constant' ? tick(begin - 2 * frame) : null,
      zero: tick(begin),
    };
  };
  const before = feedOf(shows.a, shows.a.frames - frames);
  // Both are read at the same time: two clips of one source through an input each.
  const after = feedOf(shows.b, 0, before.input);
  const time = (frame: number) => Math.round(frame / fps / timeUnit(model));
  return {
    kind: 'drawn',
    feeds: [before, after],
    map: drawing.kind === 'map' ? { shape: drawing.shape, ...canvas.size } : null,
    chains: graphText(chains),
    pts: Array.from({ length: frames }, (_, frame) => time(at + frame)),
  };
}
