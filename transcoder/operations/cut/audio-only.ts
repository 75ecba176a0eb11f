import type { Warning } from '../../../schema/task/task.ts';
import type { Plan } from '../../model/plan.ts';
import type { Trim } from '../../model/steps.ts';
import { withFallback } from '../plan/changed-plan.ts';
import { rangesOf } from '../plan/compile/ranges.ts';
import { renderSound } from '../plan/compile/render-clips.ts';
import { type ClipsRequest, UNCHANGED } from '../plan/compile/work.ts';
import { copiedSound } from '../plan/copy-audio.ts';
import type { Fades } from '../plan/filters.ts';
import type { Span } from '../plan/frames.ts';
import { audioOf, only } from '../plan/require-streams.ts';

/** A cut of sound only. A single range of AAC is copied; everything else is re-encoded. */
export function planSound(
  request: ClipsRequest,
  spans: readonly Span[],
  fades: Fades,
  warnings: Warning[],
): Plan {
  const probe = only(request.probes);
  const stream = audioOf(probe);
  const clips = rangesOf(spans);
  const plan = renderSound(
    { ...UNCHANGED, request, probe, stream, clips, grid: null, open: true, fades },
    warnings,
  );
  const [range, ...others] = clips;
  const [{ file, extension }] = plan.files;
  const faded = fades.in > 0 || fades.out > 0;
  if (!range || others.length > 0 || faded || extension !== 'm4a' || stream.codec !== 'aac') return plan;
  if (range.end - range.start < SHORT) return plan;
  const trim = copiedSound(probe, stream, range);
  if (!trim) return plan;
  const own = { source: 0, stream: stream.index };
  const step: Trim = { kind: 'trim', file, input: own, ...trim, seconds: range.outEnd };
  return withFallback(plan, [step], {});
}

/** In seconds. Of less than a packet, ffmpeg may decode nothing where an edit list trims it. */
const SHORT = 0.05;
