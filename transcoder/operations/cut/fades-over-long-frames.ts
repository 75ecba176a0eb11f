import type { Warning } from '../../../schema/task/task.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { Packets } from '../../model/source/packets.ts';
import type { Clip } from '../plan/compile/clips.ts';
import type { Work } from '../plan/compile/work.ts';
import { constantRate } from '../plan/filters.ts';
import { evenRateFor } from '../plan/frame-rate.ts';
import { isLong } from '../plan/frames.ts';
import { shown } from '../plan/require-streams.ts';

/**
 * The same work at a constant frame rate, if a picture is shown for so long in a fade that it would not fade: filters see a frame once.
 * Of several ranges the work stays as it is, with a warning.
 */
export function withEvenFades(work: Work, warnings: Warning[]): Work {
  const { clips, fades, probe, request } = work;
  // They are listed where frames may be long.
  const { packets } = request.facts;
  const [clip, ...others] = clips;
  const last = clips.at(-1);
  if (!packets || !clip?.kept || !last) return work;
  const length = ({ start, end }: Clip) => end - start;
  const showsLongIn =
    showsLong(clip, timesIn(clip, packets, probe), 0, fades.in) ||
    showsLong(last, timesIn(last, packets, probe), length(last) - fades.out, length(last));
  if (!showsLongIn) return work;
  if (others.length > 0) {
    warnings.push({
      code: 'source_vfr',
      detail: 'The source shows pictures for long. In a fade the picture changes only where one begins.',
    });
    return work;
  }
  const total = length(clip);
  const first = clip.kept.pinned || clip.kept.first === null ? 0 : Math.max(0, clip.kept.first - clip.start);
  // All frames ahead of the clip are at 0, and would be taken for frames without a distance.
  const begins = new Set(timesIn(clip, packets, probe).filter((time) => time >= first - 1e-6));
  const { fps, numerator, denominator } = evenRateFor(Float64Array.from(begins));
  const frames = Math.ceil(((total - first) * numerator) / denominator - 1e-6);
  warnings.push({
    code: 'source_vfr',
    detail: `The source shows pictures for long. The output has a constant ${shown(fps)} fps, at which they fade.`,
  });
  const { input } = request;
  return {
    ...work,
    // With more frames than the source, the source's bitrate would be too low.
    request: { ...request, input: input.quality === 'match_source' ? { ...input, quality: 'high' } : input },
    drawn: {
      filters: constantRate(`${numerator}/${denominator}`, first, frames),
      ...{ shots: [], overlaid: [], copiesSound: false, fps },
    },
  };
}

/** When frames begin in a clip, in seconds from its start; the first one may be on the screen before. */
const timesIn = ({ start, end }: Clip, packets: Packets, { origin }: MediaProbe): Float64Array =>
  packets.shown.map((time) => Math.max(0, time - origin - start)).filter((time) => time < end - start);

/** Whether one picture stays for long between two times of a clip. */
function showsLong({ start, end }: Clip, begins: Float64Array, from: number, to: number): boolean {
  const changes = [0, ...begins, end - start];
  return changes.some((time, index) => {
    const next = changes[index + 1] ?? time;
    return isLong(Math.min(next, to) - Math.max(time, from));
  });
}
