import type { Warning } from '../../../schema/task/task.ts';
import { firstAtLeast } from '../../model/numbers/first-index.ts';
import type { Plan } from '../../model/plan.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import { timeUnit, type VideoStream } from '../../model/source/video-stream.ts';
import type { Filter } from '../../model/steps.ts';
import { assText } from '../plan/captions/ass-document.ts';
import { fontOptions, fontSteps } from '../plan/captions/caption-font.ts';
import type { Drawn } from '../plan/captions/layout.ts';
import type { CaptionCue } from '../plan/captions/segmentation.ts';
import { alike } from '../plan/changed-plan.ts';
import type { Backdrop } from '../plan/compile/backdrop.ts';
import { workOf } from '../plan/compile/ranges.ts';
import { planClips } from '../plan/compile/splice-clips.ts';
import type { ClipsRequest, Shot, Work } from '../plan/compile/work.ts';
import { copiedSound, copiesWhole } from '../plan/copy-audio.ts';
import { constantRate } from '../plan/filters.ts';
import type { FrameRate } from '../plan/frame-rate.ts';
import type { Span } from '../plan/frames.ts';
import { movingOf, only, shown } from '../plan/require-streams.ts';
import type { Delivered } from '../plan/splice-compatibility.ts';
import { rotations } from '../plan/turn.ts';
import { rateForCaptions } from './frame-rate.ts';
import type { Captioned } from './sidecar-files.ts';

/** A fixed name, so no text of a caller becomes part of a filter. */
const FILE = 'burnt.ass';

type Shown = Required<Pick<Captioned, 'cues' | 'drawn'>>;

/** Burns captions into the picture. Frames without captions keep their packets where possible. */
export function planBurnt(request: ClipsRequest, { cues, drawn }: Shown, warnings: Warning[]): Plan {
  const probe = only(request.probes);
  const { video, duration } = movingOf(probe);
  const whole = { start: 0, end: duration };
  const rate = rateForCaptions(cues, drawn, probe, request.facts.packets);
  if (rate) {
    const late = video.startTime - probe.origin;
    const filters = [...steady(rate, late, duration), drawing(video, drawn)];
    const work = workOf({ ...request, input: atQuality(request.input) }, [whole], 'keep', warnings);
    const { fps } = rate;
    const plan = planClips({ ...work, drawn: { ...overlay(work, cues), filters, shots: [], fps } }, warnings);
    warnings.push(evened(rate));
    return written(plan, { cues, drawn });
  }
  const work = workOf(request, [whole], 'keep', warnings);
  const filters = cues.length > 0 ? [drawing(video, drawn)] : [];
  const over = { ...overlay(work, cues), filters, shots: shotsOf({ cues, drawn }, request, probe) };
  const plan = planClips({ ...work, drawn: over }, warnings);
  return cues.length > 0 ? written(plan, { cues, drawn }) : plan;
}

/** Draws captions alone, in frames that have the times and the size of the source's. There is no sound: the source has it. */
export function planAlone(
  request: ClipsRequest,
  { cues, drawn }: Shown,
  backdrop: Backdrop,
  warnings: Warning[],
): Plan {
  const probe = only(request.probes);
  const { video, duration } = movingOf(probe);
  const rate = rateForCaptions(cues, drawn, probe, request.facts.packets);
  const work = workOf(request, [{ start: 0, end: duration }], 'mute', warnings);
  if (rate) warnings.push(evened(rate));
  const alone = { backdrop, filters: [drawing(video, drawn)] };
  const filters = rate ? steady(rate, video.startTime - probe.origin, duration) : [];
  const over = { filters, alone, shots: [], overlaid: [], copiesSound: false };
  const plan = planClips({ ...work, drawn: { ...over, ...(rate ? { fps: rate.fps } : {}) } }, warnings);
  return written(plan, { cues, drawn });
}

/** Converts to a constant frame rate and extends the last frame to the end. */
function steady({ numerator, denominator }: FrameRate, late: number, duration: number): Filter[] {
  // A frame that would begin within rounding of the end is none.
  const frames = Math.ceil(((duration - late) * numerator) / denominator - 1e-6);
  return constantRate(`${numerator}/${denominator}`, late, frames);
}

const evened = ({ fps }: FrameRate): Warning => ({
  code: 'source_vfr',
  detail: `The source has a variable frame rate. The output has a constant ${shown(fps)} fps, so captions can change during long frames.`,
});

/** With more frames than the source, the source's bitrate would be too low. */
const atQuality = (input: Delivered): Delivered =>
  input.quality === 'match_source' ? { ...input, quality: 'high' } : input;

const drawing = (video: VideoStream, { look }: Drawn): Filter => ({
  name: 'ass',
  options: {
    ...{ filename: FILE, original_size: `${video.displayWidth}x${video.displayHeight}` },
    ...fontOptions(look),
  },
});

/** Makes stored frames upright for drawing, and back again: the container signals how they are turned and mirrored. */
function drawnAsStored(video: VideoStream, drawn: Drawn): Filter[] {
  const flip: Filter[] = video.mirrored ? [{ name: 'vflip' }] : [];
  const { rotation } = video;
  const back = rotation === 90 ? 270 : rotation === 270 ? 90 : rotation;
  return [...flip, ...rotations[rotation], drawing(video, drawn), ...rotations[back], ...flip];
}

/** What is drawn on. Sound packets are copied if an edit list can keep them exact. */
function overlay({ request, probe, stream, clips }: Work, cues: readonly CaptionCue[]) {
  const [whole] = clips;
  return {
    overlaid: cues.map(({ start, end }) => [start, end] as const),
    copiesSound:
      stream !== null &&
      whole !== undefined &&
      copiesWhole(probe, stream, request.input.format) &&
      copiedSound(probe, stream, whole) !== null,
  };
}

/**
 * Splits the video where captions appear and disappear. Between two captions without a keyframe to enter at, frames are
 * re-encoded anyway, so they go through the filter too: one filter run is cheaper than two.
 */
function shotsOf({ cues, drawn }: Shown, { facts }: ClipsRequest, probe: MediaProbe): Shot[] {
  const { video, duration } = movingOf(probe);
  const unit = timeUnit(video);
  const entries = (facts.survey?.parts ?? [])
    .flatMap((part) => Array.from(part.pts.filter((_, at) => part.entryAt(at) !== null)))
    .map((pts) => pts * unit - probe.origin)
    .sort((a, b) => a - b);
  const enters = (from: number, to: number) => (entries[firstAtLeast(entries, from)] ?? to) < to;
  const frame = video.frameDuration;
  const shown: Span[] = [];
  for (const { start, end } of cues) {
    const [from, to] = [Math.max(0, start - frame), Math.min(duration, end + frame)];
    const last = shown.at(-1);
    if (last && (from <= last.end + frame || !enters(last.end, from))) last.end = Math.max(last.end, to);
    else shown.push({ start: from, end: to });
  }
  const filters = drawnAsStored(video, drawn);
  const shots: Shot[] = [];
  let at = 0;
  for (const { start, end } of shown) {
    if (start > at + frame / 2) shots.push({ start: at, end: start, out: at, filters: null });
    const from = start > at + frame / 2 ? start : at;
    shots.push({ start: from, end, out: from, filters });
    at = end;
  }
  if (at < duration - frame / 2) shots.push({ start: at, end: duration, out: at, filters: null });
  return shots;
}

const written = (plan: Plan, { cues, drawn }: Shown): Plan =>
  alike(plan, (each) => ({
    ...each,
    steps: [
      { kind: 'text', file: FILE, text: assText(cues, drawn) },
      ...fontSteps(drawn.look),
      ...each.steps,
    ],
  }));
