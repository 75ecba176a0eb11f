import type { Warning } from '../../../schema/task/task.ts';
import type { Plan } from '../../model/plan.ts';
import type { Render, Step, Trim } from '../../model/steps.ts';
import { audioOnlyTarget, probedCodec } from '../plan/audio-target.ts';
import { copiedSound } from '../plan/copy-audio.ts';
import { audioFades, audioSpan } from '../plan/filters.ts';
import { type Span, seekBefore } from '../plan/frame-selection.ts';
import { partSound, soundPart, timeMapOf, totalOf } from '../plan/joined-spans.ts';
import { audioFile, demuxerFor, soundOf } from '../plan/output-files.ts';
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
  const file = audioFile(container);
  const fades = audioFades({ in: input.fade_in, out: input.fade_out }, totalOf(spans));
  const total = totalOf(spans);
  const output = (from: string) => ({
    file: file.file,
    container,
    video: null,
    audio: { from, encode: target.encoding },
  });
  const reader = (span: Span) => ({ source: 0, seek: seekBefore(probe, probe.origin + span.start) });
  const [range] = spans;
  const steps: Step[] =
    spans.length === 1 && range
      ? [
          {
            kind: 'render',
            inputs: [reader(range)],
            chains: [
              {
                from: [`0:${stream.index}`],
                filters: [...audioSpan(probe, range), ...fades, ...target.after],
                to: ['a'],
              },
            ],
            outputs: [output('a')],
            seconds: total,
            lead: range.start,
          },
        ]
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
          {
            kind: 'render',
            inputs: [{ raw: 'sound.raw', sampleRate: target.sampleRate, channels: target.channels }],
            chains: [{ from: ['0:0'], filters: [...fades, ...target.after], to: ['a'] }],
            outputs: [output('a')],
            seconds: total,
            weight: total / 10,
            lead: 0,
          },
        ];
  const plan: Plan = {
    steps,
    files: [file],
    expect: {
      pictures: [],
      media: [
        {
          file: file.file,
          format: demuxerFor(container),
          video: null,
          audio: { codec: probedCodec[target.encoding.encoder] },
          duration: total,
          tolerance: 0.05,
          endsTogether: false,
          identity: { heard: true },
          slack: 0,
        },
      ],
    },
    duration: total,
    width: null,
    height: null,
    fps: null,
    data: { copied_seconds: 0, rendered_seconds: 0 },
    time_map: timeMapOf(spans),
    warnings,
  };
  const kept = container === 'm4a' && spans.length === 1 && fades.length === 0 && stream.codec === 'aac';
  const trim = kept && range ? copiedSound(probe, stream, range) : null;
  if (!trim) return plan;
  const own = { source: 0, stream: stream.index };
  const step: Trim = { kind: 'trim', file: file.file, input: own, ...trim, seconds: total };
  return { ...plan, steps: [step], otherwise: plan };
}
