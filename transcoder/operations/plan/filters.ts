import { decimal } from '../../model/numbers/decimal.ts';
import { finer, rescale, ticksOf, timeBaseOf } from '../../model/numbers/rational-time.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import { readableSound, since } from '../../model/source/sound-times.ts';
import type { VideoStream } from '../../model/source/video-stream.ts';
import { type Filter, withoutGapsOptions } from '../../model/steps.ts';
import { deinterlaced } from './deinterlace.ts';
import type { Kept } from './frame-selection.ts';
import type { Span } from './frames.ts';

/**
 * Whole frames in a known timebase, whatever earlier filters use. It is fine enough to keep audio in sync even if the
 * source's timebase is as coarse as a frame.
 */
export function timedFrames(video: VideoStream): Filter[] {
  const { num, den } = finer(timeBaseOf(video.timeBase));
  return [...deinterlaced(video), { name: 'settb', options: { expr: `${num}/${den}` } }];
}

/** Makes frame times relative to this second of the file; see `timedFrames`. */
export function framesSince(video: VideoStream, seconds: number): Filter {
  const zero = ticksOf(seconds, finer(timeBaseOf(video.timeBase)));
  return { name: 'setpts', options: { expr: `PTS-(${zero})` } };
}

/**
 * The source frame that is nearest to each step of a constant frame rate, from 0 on. If the decoder reports no duration of the last
 * frame, `fps` may drop it: here it drops a copy, which without a known frame rate has the time of the frame itself.
 * @param rate As a fraction, such as `30000/1001`.
 */
export const onGrid = (rate: string): Filter[] => [
  { name: 'tpad', options: { stop: 1, stop_mode: 'clone' } },
  { name: 'setpts', options: { expr: `PTS+eq(PTS,PREV_INPTS)*ceil(1/(${rate})/TB)` } },
  { name: 'fps', options: { fps: rate, start_time: 0, eof_action: 'pass' } },
];

/**
 * Converts to a constant frame rate of this many frames. The grid starts with the first frame, `late` seconds after 0: a grid from 0
 * would shift the picture against the sound.
 * @param rate As a fraction, such as `30000/1001`.
 */
export function constantRate(rate: string, late: number, frames: number): Filter[] {
  const grid: Filter[] = [
    ...onGrid(rate),
    { name: 'tpad', options: { stop: -1, stop_mode: 'clone' } },
    { name: 'trim', options: { end_frame: Math.max(1, frames) } },
  ];
  const { num, den } = timeBaseOf(rate);
  const fine = finer({ num: den, den: num });
  const ticks = ticksOf(late, fine);
  if (ticks === 0) return grid;
  return [
    { name: 'setpts', options: { expr: `round(PTS-(${decimal(late)})/TB)` } },
    ...grid,
    { name: 'settb', options: { expr: `${fine.num}/${fine.den}` } },
    { name: 'setpts', options: { expr: `PTS+${ticks}` } },
  ];
}

/**
 * Keeps the frames of a span and makes their times relative to its start, like those of the sound. A pinned first frame
 * moves to the start.
 */
export function videoSpan(probe: MediaProbe, video: VideoStream, span: Span, kept: Kept): Filter[] {
  const base = timeBaseOf(video.timeBase);
  const fine = finer(base);
  const zero = ticksOf(probe.origin + span.start, fine);
  const [from, to] = [kept.from, kept.to].map((tick) => (tick === null ? null : rescale(tick, base, fine)));
  // With a constant frame rate a frame can be a tick off the grid, which could put the first one before 0.
  const expr = kept.pinned ? `if(eq(N,0),0,PTS-(${zero}))` : `max(0,PTS-(${zero}))`;
  return [
    ...timedFrames(video),
    { name: 'trim', options: { start_pts: from ?? 0, ...(to == null ? {} : { end_pts: to }) } },
    { name: 'setpts', options: { expr } },
  ];
}

/**
 * Fills a late start and gaps with silence. By default, ffmpeg closes gaps below 100 ms, which makes all later sound
 * early.
 */
export const withoutGaps: Filter = { name: 'aresample', options: withoutGapsOptions };

/**
 * Keeps the samples of a span, makes their times relative to its start, and fills gaps and a late start with silence.
 */
export function audioSpan(probe: MediaProbe, span: Span): Filter[] {
  const [start, end] = [probe.origin + span.start, probe.origin + span.end];
  return [
    ...(probe.audio ? readableSound(probe.audio) : []),
    { name: 'atrim', options: { start: decimal(start), end: decimal(end) } },
    since(start),
    withoutGaps,
  ];
}

/** Seconds. A gap is filled when the sound behind it comes, and until then all of it is in memory. */
const LONGEST_GAP = 60;

/**
 * Samples of a span that ends where its sound does. If it ends in a gap, that is filled up to the end because of the sound behind it;
 * a source that ends early is not lengthened.
 */
export function openAudioSpan(probe: MediaProbe, { start, end }: Span): Filter[] {
  return [
    ...audioSpan(probe, { start, end: end + LONGEST_GAP }),
    { name: 'atrim', options: { end: decimal(end - start) } },
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

/** Drops the last column or row if the encoder requires even sides. */
export function evenCrop(width: number, height: number): Filter[] {
  if (width % 2 === 0 && height % 2 === 0) return [];
  const [w, h] = [width - (width % 2), height - (height % 2)];
  return [{ name: 'crop', options: { w, h, x: 0, y: 0, exact: 1 } }];
}

/** Selects the one frame with this timestamp of the file. */
export function oneFrame(pts: number, video: VideoStream): Filter[] {
  const half = Math.min(video.frameDuration / 2, 0.002);
  return [
    ...timedFrames(video),
    { name: 'trim', options: { start_pts: ticksOf(pts - half, finer(timeBaseOf(video.timeBase))) } },
    { name: 'trim', options: { end_frame: 1 } },
    { name: 'setpts', options: { expr: 'PTS-STARTPTS' } },
  ];
}
