import type { OperationInput } from '../../../schema/operations/index.ts';
import { packetsOf } from '../../model/gop-survey.ts';
import type { MediaProbe } from '../../model/media-probe.ts';
import type { Analysis, Plan, WhyRendered } from '../../model/plan.ts';
import type { Filter, Splice, SpliceInput, Step } from '../../model/steps.ts';
import { mixedByLibav } from '../plan/audio-file.ts';
import { copiedSound } from '../plan/copy-audio.ts';
import { videoFades } from '../plan/filters.ts';
import { goesOn, HELD, keptFrames, type Span } from '../plan/frame-selection.ts';
import { audibleIn, type CutRequest } from '../plan/render-range.ts';
import { movingOf, only } from '../plan/require-streams.ts';
import { type Placing, placed, rangePiece, splicePlan } from '../plan/smart-render.ts';
import { isConverted, splicedCodec, surveyOf } from '../plan/splice-compatibility.ts';
import { besideOf } from '../plan/stream-copy.ts';
import { joinedSound } from './encode-audio.ts';
import { shotsOf } from './fades.ts';

/** The sound, as input 1 of a splice. */
export interface SplicedSound {
  steps: Step[];
  codec: string;
  input: SpliceInput;
  audio: NonNullable<Splice['audio']>;
}

/** The surveys of packets needed around the ranges. */
export function surveys(input: OperationInput<'cut'>, probe: MediaProbe, spans: readonly Span[]): Analysis[] {
  const { video } = movingOf(probe);
  if ('why' in splicedCodec(input, probe, video)) return [];
  return [surveyOf(probe, video, 0, spans)];
}

/** Copies packets where the source allows it; renders only the frames at the cuts and inside fades. */
export function planSpliced(
  request: CutRequest,
  spans: readonly Span[],
  full: Plan,
  sound: SplicedSound | null = soundOf(request, spans, 1),
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
export function planCopied(request: CutRequest, spans: readonly Span[], copy: Plan): Plan {
  const sound = soundOf(request, spans, 1);
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
  request: CutRequest,
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
    audio: sound?.audio ?? null,
    until: uneven ? full.duration : null,
    copied: placings.reduce((sum, { range }) => sum + range.copied, 0),
    copiedSeconds: placings.reduce((sum, { range }) => sum + range.copiedSeconds, 0),
  });
}

/**
 * The source's own sound as an input of a splice: the source's packets for a single unfaded range in a container whose
 * edit list can trim them, otherwise a file.
 */
export function soundOf(
  { input, probes }: CutRequest,
  spans: readonly Span[],
  index: number,
): SplicedSound | null {
  const probe = only(probes);
  const stream = input.audio === 'keep' ? audibleIn(probe, spans) : null;
  const [span] = spans;
  if (!stream || !span) return null;
  const fades = { in: input.fade_in, out: input.fade_out };
  const edited = input.format === 'mp4' || input.format === 'mov';
  const asItIs = spans.length === 1 && fades.in === 0 && fades.out === 0 && edited;
  const trim = asItIs ? copiedSound(probe, stream, span) : null;
  if (!trim) {
    return joinedSound({ probe, stream, spans, fades, format: input.format, index });
  }
  const own = { source: 0, stream: stream.index };
  return { steps: [], codec: stream.codec, input: own, audio: { input: index, ...trim } };
}
