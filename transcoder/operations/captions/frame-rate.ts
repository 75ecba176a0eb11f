import { firstAtLeast } from '../../model/numbers/first-index.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { Packets } from '../../model/source/packets.ts';
import { entranceSeconds } from '../plan/captions/entrance.ts';
import type { Drawn } from '../plan/captions/layout.ts';
import { type CaptionCue, wordsOf } from '../plan/captions/segmentation.ts';
import { evenRateFor, type FrameRate } from '../plan/frame-rate.ts';
import { isVariable } from '../plan/frames.ts';

/** Most seconds by which a caption may change late. */
const LATE = 0.1;
/**
 * The constant frame rate needed to change captions on time during long frames of the source. Null if every caption
 * change coincides with a source frame.
 */
export function rateForCaptions(
  cues: readonly CaptionCue[],
  { look, entrance }: Drawn,
  probe: MediaProbe,
  packets: Packets | undefined,
): FrameRate | null {
  if (!packets || probe.still || !isVariable(packets)) return null;
  const { origin, duration } = probe;
  const times = packets.shown.map((time) => time - origin);
  const changes = cues
    .flatMap((cue) => [
      ...[cue.start, cue.start + entranceSeconds(entrance, cue), cue.end],
      ...wordsOf(cue).flatMap(({ start, emoji }) =>
        look.effect === 'none' && emoji === undefined ? [] : [start],
      ),
    ])
    .filter((time) => time < duration - LATE);
  const delayed = changes.some((time) => nextFrom(times, time, duration) - time > LATE);
  if (!delayed) return null;
  return evenRateFor(times);
}

/** When the first frame at or after `time` begins; `end` if there is none. */
const nextFrom = (times: Float64Array, time: number, end: number) => times[firstAtLeast(times, time)] ?? end;
