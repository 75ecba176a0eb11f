import { firstIndex } from '../../model/first-index.ts';
import type { MediaProbe } from '../../model/media-probe.ts';
import { least } from '../../model/min-max.ts';
import type { Packet } from '../../model/plan.ts';
import { type FrameRate, frameRate } from '../plan/frame-rate.ts';
import { isVariable } from '../plan/frame-selection.ts';
import type { Drawn } from './ass-events.ts';
import { type CaptionCue, wordsOf } from './segmentation.ts';

/** Seconds after its time within which a caption has to be seen to change. */
const LATE = 0.1;
/** Rates of which one is chosen, the lowest that every frame lies on within so many seconds. */
const rates = [24_000 / 1001, 24, 25, 30_000 / 1001, 30, 50, 60_000 / 1001, 60, 120];
const OFF = 0.0016;
/** Where frames lie on no grid, they are at most 8 ms off this one, or 4 off the last. */
const ANY = 60;

/**
 * The constant rate that a video has to be brought to, so that captions change on time while its source holds a frame; null
 * where each of them changes with a frame of the source.
 */
export function rateForCaptions(
  cues: readonly CaptionCue[],
  { look }: Drawn,
  probe: MediaProbe,
  packets: readonly Packet[] | undefined,
): FrameRate | null {
  if (!packets || probe.still || !isVariable(packets)) return null;
  const { origin, duration } = probe;
  const times = packets.map(({ pts }) => pts - origin).sort((a, b) => a - b);
  const changes = cues
    .flatMap((cue) => [
      ...[cue.start, cue.end],
      ...(look.effect === 'none' ? [] : wordsOf(cue).map(({ start }) => start)),
    ])
    .filter((time) => time < duration - LATE);
  const held = changes.some((time) => nextFrom(times, time, duration) - time > LATE);
  if (!held) return null;
  const gap = least(times.slice(1).map((time, index) => time - (times[index] ?? time)));
  const [first = 0] = times;
  const fits = (rate: number) =>
    times.every((time) => Math.abs((time - first) * rate - Math.round((time - first) * rate)) / rate < OFF);
  return frameRate(rates.find(fits) ?? (gap < 0.9 / ANY ? 120 : ANY));
}

/** When the first frame at this time or later begins; `end` where there is none. */
const nextFrom = (times: readonly number[], time: number, end: number) =>
  times[firstIndex(times.length, (index) => (times[index] ?? 0) >= time)] ?? end;
