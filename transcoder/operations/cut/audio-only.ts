import type { Warning } from '../../../schema/task/task.ts';
import type { Plan } from '../../model/plan.ts';
import type { Render, Step, Trim } from '../../model/steps.ts';
import { audioOnlyTarget } from '../plan/audio-target.ts';
import { withFallback } from '../plan/changed-plan.ts';
import { copiedSound } from '../plan/copy-audio.ts';
import { audioFades, audioSpan } from '../plan/filters.ts';
import { type Span, seekBefore } from '../plan/frame-selection.ts';
import { partSound, placedSpans, soundPart, totalOf } from '../plan/joined-spans.ts';
import { type MediaRun, planMedia } from '../plan/output.ts';
import { soundOf } from '../plan/output-files.ts';
import type { RangesRequest } from '../plan/render-range.ts';
import { only } from '../plan/require-streams.ts';

/** A cut of sound only. A single range of AAC is copied; everything else is re-encoded. */
export function planSound(request: RangesRequest, spans: readonly Span[], warnings: Warning[]): Plan {
  const { input, probes } = request;
  const probe = only(probes);
  const stream = probe.audio;
  if (!stream) throw new Error('the analysis should have refused a source without sound');
  const container = soundOf[input.format];
  const target = audioOnlyTarget(stream, container);
  const total = totalOf(spans);
  const fades = audioFades({ in: input.fade_in, out: input.fade_out }, total);
  const reader = (span: Span) => ({ source: 0, seek: seekBefore(probe, probe.origin + span.start) });
  const [range] = spans;
  const one = spans.length === 1 && range ? range : null;
  const before: Step[] = one
    ? []
    : [
        ...spans.map(
          (span, index): Render => ({
            kind: 'render',
            inputs: [reader(span)],
            chains: [soundPart(probe, stream, target, spans, index)],
            outputs: [{ file: partSound(index), container: 'raw', from: 'a' }],
            seconds: span.end - span.start,
            lead: span.start,
          }),
        ),
        { kind: 'append', file: 'sound.raw', parts: spans.map((_, index) => partSound(index)) },
      ];
  const raw = { raw: 'sound.raw', sampleRate: target.sampleRate, channels: target.channels };
  const run: MediaRun = {
    ...{ container, picture: null, sound: { from: 'a', encode: target.encoding } },
    inputs: [one ? reader(one) : raw],
    chains: [
      {
        from: [`0:${one ? stream.index : 0}`],
        filters: [...(one ? audioSpan(probe, one) : []), ...fades, ...target.after],
        to: ['a'],
      },
    ],
    ...{ duration: total, identity: { heard: true } },
    ...(one ? { lead: one.start } : { weight: total / 10 }),
  };
  const plan = planMedia(before, run, { shows: placedSpans(spans), copied: 0, warnings });
  const kept = container === 'm4a' && fades.length === 0 && stream.codec === 'aac';
  const trim = kept && one ? copiedSound(probe, stream, one) : null;
  if (!trim) return plan;
  const own = { source: 0, stream: stream.index };
  const step: Trim = { kind: 'trim', file: plan.files[0].file, input: own, ...trim, seconds: total };
  return withFallback(plan, [step], {});
}
