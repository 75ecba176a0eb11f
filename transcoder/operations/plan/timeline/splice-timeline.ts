import type { RenderReason } from '../../../../schema/operations/fields/spans.ts';
import type { Warning } from '../../../../schema/task/task.ts';
import type { Analysis, Plan, PlanRequest, WhyRendered } from '../../../model/plan.ts';
import type { MediaProbe } from '../../../model/source/media-probe.ts';
import { isStoredUpright, timeUnit, type VideoStream } from '../../../model/source/video-stream.ts';
import type { Piece, Surveyed } from '../../../model/splice.ts';
import type { SpliceInput, Step } from '../../../model/steps.ts';
import type { Span } from '../frames.ts';
import type { Size } from '../geometry.ts';
import { type Range, rangePiece, splicePlan } from '../smart-render.ts';
import { framesOfPiece } from '../spans.ts';
import { type Delivered, splicedCodec, surveyOf } from '../splice-compatibility.ts';
import { isDrawn, jointPiece } from './joint-piece.ts';
import { type Canvas, isStill, type Look, type Part, partSteps, partsOf } from './parts.ts';
import { renderTimeline } from './render-timeline.ts';
import { type Clip, clipsIn, isClip, type Timeline } from './timeline.ts';
import { splicedSound, type TimelineSound } from './timeline-sound.ts';

/** The surveys needed for spans of sources whose packets may be copied into an output of this size. */
export function surveysOfSpans(
  input: Delivered,
  probes: readonly MediaProbe[],
  size: Size,
  spansOf: readonly (readonly Span[])[],
): Analysis[] {
  return spansOf.flatMap((spans, source) => {
    const probe = probes[source];
    if (spans.length === 0 || !probe?.video || probe.still || !hasShape(probe.video, size)) return [];
    if ('why' in splicedCodec(input, probe, probe.video)) return [];
    return [surveyOf(probe, probe.video, source, spans)];
  });
}

/** Whether players show the coded picture unchanged at this size. */
function hasShape(video: VideoStream, size: Size): boolean {
  const { width, height, sar } = video;
  return width === size.width && height === size.height && sar === 1 && isStoredUpright(video);
}

/** The timeline, copied where it can be. */
export function planTimeline(
  request: PlanRequest<Look>,
  timeline: Timeline,
  canvas: Canvas,
  sound: TimelineSound | null,
  warnings: Warning[],
): Plan {
  const full = renderTimeline(request, timeline, canvas, sound, warnings);
  return spliced(request, timeline, canvas, sound, full);
}

/**
 * The same output, copying the packets of clips that match the output and share one encoder configuration. Joints
 * between them are rendered, and so are clips that do not match.
 */
function spliced(
  request: PlanRequest<Delivered>,
  timeline: Timeline,
  canvas: Canvas,
  sound: TimelineSound | null,
  full: Plan,
): Plan {
  const because = (why: WhyRendered): Plan => ({ ...full, rendered_because: why });
  const found = candidatesOf(request, timeline, canvas);
  if (typeof found === 'string') return because(found);
  const { model, surveys: alike } = found;
  const codec = splicedCodec(request.input, model.probe, model.video);
  const fitting = alike.get(model)?.fitting;
  if ('why' in codec || !fitting) return because('codec');
  const { target } = canvas;
  const encoding = { ...target.encoding, reorder: false, fitting };
  const fitted = { ...canvas, target: { ...target, encoding } };

  const inputs: SpliceInput[] = [{ source: model.source, stream: model.video.index }];
  /** @param not An input that is read at the same time, for which the source needs another one. */
  const inputOf = (source: number, stream: number, not?: number) => {
    const known = inputs.findIndex((one, index) => index !== not && 'source' in one && one.source === source);
    return known < 0 ? inputs.push({ source, stream }) - 1 : known;
  };
  const steps: Step[] = [];
  const reasons = new Map<number, RenderReason>();
  const pieces = partsOf(timeline).map((part): Piece => {
    if (isDrawn(part.shows)) return jointPiece(timeline, canvas, part, part.shows, model.video, inputOf);
    const at = Math.round(part.at / timeline.rate.fps / timeUnit(model.video));
    const range = rangeOf(part, timeline, alike, inputOf);
    if (range) return { ...range, at };
    steps.push(...partSteps(timeline, fitted, part));
    const input = inputs.push({ file: part.file, format: 'mov', stream: 0 }) - 1;
    reasons.set(input, reasonFor(timeline, part));
    return { kind: 'file', input, frames: part.frames, at };
  });
  const seconds = timeline.frames / timeline.rate.fps;
  const { format } = request.input;
  const mixed = sound && splicedSound(sound, seconds, format);
  return splicePlan(full, {
    ...{ ...codec, inputs, pieces, model: model.video },
    files: (input) => reasons.get(input) ?? 'other_encoding',
    unitOf: (input) => unitOf(request.probes, inputs[input], model.video),
    until: Math.abs(model.video.frameDuration * timeline.rate.fps - 1) < 0.05 ? null : seconds,
    before: [...steps, ...(mixed?.steps ?? [])],
    sound: mixed?.codec ?? null,
    audio: mixed && { input: inputs.push(mixed.input) - 1, ...mixed.audio },
  });
}

/**
 * Groups matching clips by encoder configuration and returns the group with the most frames; its first clip is the
 * model.
 */
function candidatesOf({ input, facts }: PlanRequest<Delivered>, timeline: Timeline, canvas: Canvas) {
  let why: WhyRendered = 'no_clip_fits';
  const groups = new Map<string, { model: Clip; surveys: Map<Clip, Surveyed>; frames: number }>();
  for (const clip of clipsIn(timeline)) {
    const survey = facts.sources?.[clip.source]?.survey;
    const codec = splicedCodec(input, clip.probe, clip.video);
    if ('why' in codec) why = codec.why;
    if ('why' in codec || !hasLook(clip.video, canvas) || !counts(clip.video, timeline)) continue;
    if (!survey) why = 'engine_unavailable';
    else if (survey.unfit) why = survey.unfit;
    if (!survey?.fitting) continue;
    const group = groups.get(survey.configuration) ?? { model: clip, surveys: new Map(), frames: 0 };
    group.surveys.set(clip, survey);
    group.frames += clip.frames;
    groups.set(survey.configuration, group);
  }
  const [best] = [...groups.values()].sort((a, b) => b.frames - a.frames);
  return best ?? why;
}

/** Whether a clip has the size, depth and colors of the output. */
function hasLook(video: VideoStream, { size, hdr, target }: Canvas): boolean {
  const { color, pixelFormat } = target.encoding;
  const depth = pixelFormat.includes('10') ? 10 : 8;
  const own = { ...video.color, range: video.color.range ?? 'tv' };
  const wanted = { ...color, range: color.range ?? 'tv' };
  const tags = ['space', 'transfer', 'primaries', 'range'] as const;
  return (
    hasShape(video, size) &&
    video.codec === target.codec &&
    video.bitDepth === depth &&
    video.hdr === hdr &&
    tags.every((tag) => own[tag] === wanted[tag])
  );
}

/** How far off the frame grid of the output a frame may begin, in seconds. */
const MOST_OFF = 0.001;

/** Whether the ticks of a source can count the frames of the output, as they do if the source is its model. */
function counts(video: VideoStream, { rate, frames }: Timeline): boolean {
  const unit = timeUnit(video);
  const apart = 1 / rate.fps / unit;
  const drift = Math.abs(apart - Math.round(apart)) * unit * frames;
  return unit / 2 <= MOST_OFF || drift <= MOST_OFF;
}

/** Why a part is rendered into a file. */
function reasonFor(timeline: Timeline, { shows }: Part): RenderReason {
  if ('joint' in shows) return 'transition';
  if (!isClip(shows.item)) return 'gap';
  const stays = isStill(timeline, shows.item, shows.from);
  return shows.item.rate === 1 && !stays ? 'other_encoding' : 'speed';
}

/** A part as a range of its clip, or null if the clip's frames do not fall on the output's frame grid. */
function rangeOf(
  { shows, frames }: Part,
  { rate }: Timeline,
  surveys: ReadonlyMap<Clip, Surveyed>,
  input: (source: number, stream: number) => number,
): Range['piece'] | null {
  const clip = 'item' in shows && isClip(shows.item) && shows.item.rate === 1 && shows.item;
  const survey = clip && surveys.get(clip);
  if (!survey || !('from' in shows)) return null;
  const { probe, video, zero, source } = clip;
  const start = zero - probe.origin + shows.from / rate.fps;
  const span = { start, end: start + frames / rate.fps };
  const range = rangePiece({ probe, video, span, survey, input: 0 });
  if (typeof range === 'string' || framesOfPiece(range.piece) !== frames) return null;
  const { head, copy, tail, zero: first } = range.piece;
  const shown = [head, copy, tail].flatMap((run) => [...(run?.frames ?? [])]).sort((a, b) => a - b);
  const apart = 1 / rate.fps / timeUnit(video);
  if (shown.some((pts, index) => Math.abs(pts - first - index * apart) > 1 + TINY)) return null;
  return { ...range.piece, input: input(source, video.index) };
}

const TINY = 1e-3;

/** Duration of a tick of an input in seconds. */
function unitOf(probes: readonly MediaProbe[], input: SpliceInput | undefined, model: VideoStream): number {
  const video = input && 'source' in input ? probes[input.source]?.video : null;
  return timeUnit(video ?? model);
}
