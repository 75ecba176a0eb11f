import type { Warning } from '../../../schema/task/task.ts';
import { packetsOf } from '../../model/gop-survey.ts';
import type { MediaProbe } from '../../model/media-probe.ts';
import type { Analysis, Plan, WhyRendered } from '../../model/plan.ts';
import type { Filter, SpliceInput } from '../../model/steps.ts';
import { mixedByLibav } from './audio-file.ts';
import { shotsOf } from './fading-shots.ts';
import { videoFades } from './filters.ts';
import { goesOn, HELD, keptFrames, needsPackets, packetsAround, type Span } from './frame-selection.ts';
import { type Changes, planRange, type RangesInput, type RangesRequest } from './render-range.ts';
import { planJoined } from './render-segments.ts';
import { movingOf, only } from './require-streams.ts';
import { type Placing, placed, rangePiece, splicePlan } from './smart-render.ts';
import { isConverted, splicedCodec, surveyOf } from './splice-compatibility.ts';
import { type SplicedSound, soundOfSpans } from './spliced-sound.ts';
import { besideOf } from './stream-copy.ts';

/** What must be known of the packets around ranges. @param listed Whether all of them are copied, which needs their list. */
export function rangeAnalyses(
  input: RangesInput,
  probe: MediaProbe,
  spans: readonly Span[],
  listed = false,
): Analysis[] {
  const { video } = movingOf(probe);
  const around = 'why' in splicedCodec(input, probe, video) ? [] : [surveyOf(probe, video, 0, spans)];
  if (!listed && !needsPackets(video)) return around;
  const intervals = spans.map((span) => packetsAround(probe, video, span));
  return [...around, { kind: 'packets', source: 0, intervals }];
}

/** The ranges one after another, copied where they can be. */
export function planSpans(request: RangesRequest, spans: readonly Span[], warnings: Warning[]): Plan {
  return planSpliced(request, spans, renderSpans(request, spans, warnings));
}

/** The ranges one after another, all rendered. @param hold Only after a single range. */
export const renderSpans = (
  request: RangesRequest,
  spans: readonly Span[],
  warnings: Warning[],
  changes: Pick<Changes, 'hold' | 'dub'> = {},
): Plan =>
  spans.length === 1
    ? planRange(request, spans, warnings, changes)
    : planJoined(request, spans, warnings, changes.dub);

/** Copies packets where the source allows it; renders only the frames at the cuts and inside fades. */
export function planSpliced(
  request: RangesRequest,
  spans: readonly Span[],
  full: Plan,
  sound: SplicedSound | null = soundOf(request, spans),
): Plan {
  const { input, probes } = request;
  const { video } = movingOf(only(probes));
  const fades = { in: input.fade_in, out: input.fade_out };
  const fading = videoFades(fades, full.duration ?? 0);
  const shots = shotsOf(spans, fades, video.frameDuration);
  const filtered = shots.map(({ span, out, faded }) => ({ span, out, filters: faded ? fading : null }));
  return planShots(request, filtered, full, sound);
}

/**
 * The same copy through libav instead of ffmpeg. libav ends picture and sound together, which is preferred if no sound
 * needs encoding. It is also needed for long frames, which ffmpeg shows too briefly.
 */
export function planCopied(request: RangesRequest, spans: readonly Span[], copy: Plan): Plan {
  const sound = soundOf(request, spans);
  const { video } = movingOf(only(request.probes));
  // libav copies the picture only, not its side streams such as alpha.
  if (besideOf(video, request.input.format)) return copy;
  const hasLongFrames = video.pace === 'variable' || video.frameDuration > HELD;
  const encodes = sound !== null && sound.steps.length > 0;
  if (!hasLongFrames && (spans.length > 1 || encodes)) return copy;
  const plan = planSpliced(request, spans, copy, sound);
  const { rendered_because, ...as } = plan;
  return rendered_because === undefined && plan.data.rendered_seconds === 0 ? as : copy;
}

/** A part of the source, its start in the output in seconds, and the filters for its frames. */
export interface FilteredShot {
  span: Span;
  out: number;
  /** Null if its packets may be copied. */
  filters: readonly Filter[] | null;
}

/** As `planSpliced`, for frames that go through any filters. @param sound Null for none. */
export function planShots(
  request: RangesRequest,
  shots: readonly FilteredShot[],
  full: Plan,
  sound: SplicedSound | null,
): Plan {
  const { input, probes, facts } = request;
  const probe = only(probes);
  const rendered = (why: WhyRendered): Plan => ({ ...full, rendered_because: why });
  const { video } = movingOf(probe);
  const codec = splicedCodec(input, probe, video);
  if ('why' in codec) return rendered(codec.why);
  if (isConverted(full)) return rendered('converted');
  const { survey } = facts;
  if (!survey) return rendered('engine_unavailable');
  if (!survey.fitting) return rendered(survey.unfit ?? 'engine_unavailable');

  const packets = packetsOf(survey, video) ?? [];
  const placings: Placing[] = [];
  for (const [index, { span, out, filters }] of shots.entries()) {
    const continues = goesOn(shots[index - 1]?.span, span);
    if (keptFrames(probe, video, span, packets, continues).frames === 0) continue;
    const own = filters ? { filters } : {};
    const range = rangePiece({ probe, video, span, survey, input: 0, continues, ...own });
    if (typeof range === 'string') return rendered(range);
    placings.push({ range, video, out });
  }

  const frames = placings.reduce((sum, { range }) => sum + range.frames, 0);
  if (full.expect.media[0]?.video?.frames !== frames) return rendered('frames_differ');
  const inputs: SpliceInput[] = [{ source: 0, stream: video.index }, ...(sound ? [sound.input] : [])];
  const uneven = placings.some(({ range }) => range.uneven || range.piece.pinned);
  return splicePlan(full, {
    ...{ ...codec, model: video, inputs, frames },
    before: mixedByLibav(sound?.steps ?? []),
    pieces: placed(placings, video),
    sound: sound?.codec ?? null,
    audio: sound && { input: 1, ...sound.audio },
    until: uneven ? full.duration : null,
    copied: placings.reduce((sum, { range }) => sum + range.copied, 0),
    copiedSeconds: placings.reduce((sum, { range }) => sum + range.copiedSeconds, 0),
  });
}

/** Null if the request or the spans have no sound. */
export function soundOf({ input, probes }: RangesRequest, spans: readonly Span[]): SplicedSound | null {
  if (input.audio !== 'keep') return null;
  const fades = { in: input.fade_in, out: input.fade_out };
  return soundOfSpans({ probe: only(probes), spans, fades, format: input.format });
}
