import { decimal } from '../ffmpeg/arguments.ts';
import type { Filter } from '../ffmpeg/step.ts';
import type { MediaProbe, VideoStream } from '../media/probe.ts';
import { deinterlaced } from './deinterlace.ts';
import { HELD, type Kept, type Span } from './timeline.ts';

/**
 * Takes the kept frames and counts their time from the start of the span. A first frame within one frame of that start
 * becomes the very start, so that no player shows a hole; a later one stays late, and one that is pinned is moved alone.
 */
export function videoSpan(probe: MediaProbe, video: VideoStream, span: Span, kept: Kept): Filter[] {
  const start = probe.origin + span.start;
  const near = kept.first !== null && Math.abs(kept.first - start) < Math.min(video.frameDuration, HELD);
  const late = `PTS-${decimal(start)}/TB`;
  const shift = kept.pinned ? `if(eq(N,0),0,round(${late}))` : near ? 'PTS-STARTPTS' : late;
  return [
    ...deinterlaced(video),
    {
      name: 'trim',
      options: { start: decimal(kept.from), ...(kept.to === null ? {} : { end: decimal(kept.to) }) },
    },
    { name: 'setpts', options: { expr: shift } },
  ];
}

/** Takes the samples of the span, counts their time from its start, and fills gaps and a late start with silence. */
export function audioSpan(probe: MediaProbe, span: Span): Filter[] {
  const [start, end] = [probe.origin + span.start, probe.origin + span.end];
  return [
    { name: 'atrim', options: { start: decimal(start), end: decimal(end) } },
    { name: 'asetpts', options: { expr: `PTS-${decimal(start)}/TB` } },
    { name: 'aresample', options: { async: 1, first_pts: 0 } },
  ];
}

export interface Fades {
  in: number;
  out: number;
}

export function videoFades(fades: Fades, total: number): Filter[] {
  return [
    ...(fades.in > 0
      ? [{ name: 'fade', options: { type: 'in', start_time: 0, duration: decimal(fades.in) } }]
      : []),
    ...(fades.out > 0
      ? [
          {
            name: 'fade',
            options: {
              type: 'out',
              start_time: decimal(Math.max(0, total - fades.out)),
              duration: decimal(Math.min(total, fades.out)),
            },
          },
        ]
      : []),
  ];
}

export function audioFades(fades: Fades, total: number): Filter[] {
  return videoFades(fades, total).map((filter) => ({ ...filter, name: 'afade' }));
}

/** Drops the last column or row where the encoder takes even sides alone. */
export function evenCrop(width: number, height: number): Filter[] {
  if (width % 2 === 0 && height % 2 === 0) return [];
  const [w, h] = [width - (width % 2), height - (height % 2)];
  return [{ name: 'crop', options: { w, h, x: 0, y: 0, exact: 1 } }];
}

/** The one frame with this timestamp of the file. */
export function oneFrame(pts: number, video: VideoStream): Filter[] {
  const half = Math.min(video.frameDuration / 2, 0.002);
  return [
    ...deinterlaced(video),
    { name: 'trim', options: { start: decimal(pts - half) } },
    { name: 'trim', options: { end_frame: 1 } },
    { name: 'setpts', options: { expr: 'PTS-STARTPTS' } },
  ];
}
