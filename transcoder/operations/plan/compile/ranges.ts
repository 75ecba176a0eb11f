import type { Warning } from '../../../../schema/task/task.ts';
import type { Analysis } from '../../../model/plan.ts';
import type { AudioStream, MediaProbe } from '../../../model/source/media-probe.ts';
import { TaskFailure } from '../../../model/task-failure.ts';
import { goesOn, keptFrames, packetsAround } from '../frame-selection.ts';
import { needsPackets, type Span } from '../frames.ts';
import { micros, movingOf, only, shown } from '../require-streams.ts';
import { type Delivered, splicedCodec, surveyOf } from '../splice-compatibility.ts';
import type { Clip } from './clips.ts';
import { type ClipsRequest, UNCHANGED, type Work } from './work.ts';

/** Places ranges of the source in the output, in order, end to end. */
export function rangesOf(spans: readonly Span[]): Clip[] {
  let at = 0;
  return spans.map(({ start, end }) => {
    const out = micros(at);
    at += end - start;
    return { start, end, out, outEnd: micros(at), rate: 1, muted: false, frames: null };
  });
}

/** Ranges of the only source. Throws `time_out_of_range` for a range without a frame. */
export function workOf(
  request: ClipsRequest,
  spans: readonly Span[],
  audio: 'keep' | 'mute',
  warnings: Warning[],
): Work {
  const probe = only(request.probes);
  const { video } = movingOf(probe);
  const { packets } = request.facts;
  const stream = audio === 'keep' ? audibleIn(probe, spans) : null;
  if (audio === 'keep' && !stream) warnings.push(noSound(probe));
  const clips = rangesOf(spans).map((clip, index): Clip => {
    const kept = keptFrames(probe, video, clip, packets, goesOn(spans[index - 1], clip));
    if (kept.frames !== 0) return { ...clip, kept };
    const longFrame = keptFrames(probe, video, clip, packets);
    if (longFrame.frames !== 0) return { ...clip, kept: longFrame };
    throw noFrame(clip);
  });
  return { ...UNCHANGED, request, probe, stream, clips, grid: null, open: true };
}

/** The surveys needed to copy packets, by default of the whole source. */
export function surveysOf(
  input: Delivered,
  probe: MediaProbe,
  spans?: readonly Span[],
  source = 0,
): Analysis[] {
  const { video, duration } = movingOf(probe, source);
  if ('why' in splicedCodec(input, probe, video)) return [];
  return [surveyOf(probe, video, source, spans ?? [{ start: 0, end: duration }])];
}

/** What must be known of the packets around ranges. @param listed Whether all of them are copied, which needs their list. */
export function rangeAnalyses(
  input: Delivered,
  probe: MediaProbe,
  spans: readonly Span[],
  listed = false,
): Analysis[] {
  const { video } = movingOf(probe);
  const around = surveysOf(input, probe, spans);
  if (!listed && !needsPackets(video)) return around;
  const intervals = spans.map((span) => packetsAround(probe, video, span));
  return [...around, { kind: 'packets', source: 0, intervals }];
}

export function noFrame(span: Span): TaskFailure {
  const detail = `The source has no frame between ${shown(span.start)} s and ${shown(span.end)} s.`;
  return new TaskFailure('time_out_of_range', detail, { sourceIndex: 0 });
}

/** The sound of the source, if any of it is inside these spans. */
export function audibleIn(probe: MediaProbe, spans: readonly Span[]): AudioStream | null {
  const { audio, origin } = probe;
  if (!audio) return null;
  const from = audio.startTime - origin;
  const to = from + audio.duration;
  return spans.some((span) => span.start < to - 0.01 && span.end > from + 0.01) ? audio : null;
}

export function noSound(probe: MediaProbe): Warning {
  const detail = probe.audio ? 'The source has no audio in this part.' : 'The source has no audio.';
  return { code: 'audio_missing', detail };
}
