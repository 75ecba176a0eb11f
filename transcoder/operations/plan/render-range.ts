import type { OperationInput } from '../../../schema/operations/index.ts';
import type { Warning } from '../../../schema/task/task.ts';
import { decimal } from '../../model/decimal.ts';
import type { AudioStream, MediaProbe } from '../../model/media-probe.ts';
import type { Plan, PlanRequest } from '../../model/plan.ts';
import type { Filter } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { VideoStream } from '../../model/video-stream.ts';
import { audioTarget } from './audio-target.ts';
import { type ClipSound, renderClip } from './compile/one-clip.ts';
import { audioFades, audioSpan, evenCrop, videoFades, videoSpan } from './filters.ts';
import { goesOn, isVariable, type Kept, keptFrames, type Span } from './frame-selection.ts';
import { uprightSize } from './geometry.ts';
import type { MadeSound } from './joined-parts.ts';
import { checkSide, frameRate, micros, movingOf, only, shown } from './require-streams.ts';
import { videoTarget } from './video-target.ts';

/** What a request for ranges of a video says of the output. */
export type RangesInput = Pick<
  OperationInput<'cut'>,
  'format' | 'codec' | 'quality' | 'audio' | 'fade_in' | 'fade_out'
>;
export type RangesRequest = PlanRequest<RangesInput>;

/** What a range shows and plays besides what it is. */
export interface Changes {
  drawn?: Drawn;
  hold?: Hold;
  dub?: Dub;
}

/** What is drawn on every frame. */
export interface Drawn {
  filters: readonly Filter[];
  /** Spans of the output in which something is drawn, in seconds. */
  overlaid: readonly (readonly [from: number, to: number])[];
  /** Whether the packets of the sound are copied. */
  copiesSound: boolean;
  /** A constant frame rate that the filters convert to. */
  fps?: number;
}

/** A freeze frame after the range: copies of its last frame from one second of the output to another. */
export interface Hold {
  from: number;
  until: number;
  frames: number;
}

/** Another sound. */
export interface Dub {
  sound: MadeSound;
  endsTogether: boolean;
}

/** Renders one range in one run. */
export function planRange(
  request: RangesRequest,
  spans: readonly Span[],
  warnings: Warning[],
  { drawn, hold, dub }: Changes = {},
): Plan {
  const [span] = spans;
  if (!span) throw new Error('a cut without ranges');
  const { input, facts } = request;
  const frame = cutFrame(request, spans, warnings);
  const { probe, video, target, width, height } = frame;
  const kept = keptOrFail(probe, video, span, request);
  const variable = facts.packets !== undefined && isVariable(facts.packets);
  if (variable && drawn?.fps === undefined) warnings.push(variableRate());
  const total = micros(span.end - span.start);
  const fades = { in: input.fade_in, out: input.fade_out };
  const filters = [
    ...videoSpan(probe, video, span, kept),
    ...frame.filters,
    ...videoFades(fades, total),
    ...(drawn?.filters ?? []),
    ...(hold ? repeats(hold, kept.frames) : []),
  ];
  const frames = drawn?.fps === undefined ? kept.frames : null;
  const own =
    frame.sound && soundOf(frame.sound, [...audioSpan(probe, span), ...audioFades(fades, total)], drawn);
  return renderClip({
    ...{ probe, video, target, size: { width, height }, span, kept, format: input.format },
    chains: [{ from: [`0:${video.index}`], filters, to: ['v'] }],
    sound: dub?.sound ?? own,
    frames: frames === null ? null : frames + (hold?.frames ?? 0),
    ...{ until: holdsLast([kept]) ? (hold?.until ?? total) : undefined, duration: hold?.until },
    endsTogether: dub?.endsTogether,
    identity: {
      fades,
      ...(drawn ? { overlaid: drawn.overlaid } : {}),
      ...(drawn?.fps === undefined ? {} : { grid: [0] }),
    },
    tolerance: video.frameDuration,
    fps: drawn?.fps ?? frameRate(variable ? total / (kept.frames ?? 1) : video.frameDuration),
    ...{ copied: 0, warnings },
  });
}

/**
 * Repeats the last frame. The copies get explicit times: `tpad` uses a rate guessed by ffmpeg, which is wrong for a
 * variable frame rate. @param own Frames of the range.
 */
function repeats({ from, until, frames }: Hold, own: number | null): Filter[] {
  const stop = { name: 'tpad', options: { stop: frames, stop_mode: 'clone' } };
  if (own === null) return [stop];
  const time = `(${decimal(from)}+(N-${own})*${((until - from) / frames).toFixed(9)})/TB`;
  return [stop, { name: 'setpts', options: { expr: `if(lt(N,${own}),PTS,${time})` } }];
}

const soundOf = (
  { stream, target }: NonNullable<CutFrame['sound']>,
  filters: Filter[],
  drawn: Drawn | undefined,
): ClipSound => (drawn?.copiesSound ? { stream, target: null } : { stream, target, filters });

/** The part of a request that determines the video encoding. */
type FrameRequest = Omit<RangesRequest, 'input'> & {
  input: Pick<RangesRequest['input'], 'format' | 'codec' | 'quality' | 'audio'>;
};

/** Settings that all rendered cuts share, whatever their ranges. */
export function cutFrame(request: FrameRequest, spans: readonly Span[], warnings: Warning[]) {
  const { input, probes, limits, capabilities } = request;
  const probe = only(probes);
  const { video } = movingOf(probe);
  const upright = uprightSize(video);
  const target = videoTarget(
    video,
    input,
    { width: video.displayWidth, height: video.displayHeight },
    capabilities,
  );
  const filters = [...target.before, ...(target.even ? evenCrop(upright.width, upright.height) : [])];
  const width = target.even ? upright.width - (upright.width % 2) : upright.width;
  const height = target.even ? upright.height - (upright.height % 2) : upright.height;
  checkSide({ width, height }, limits.output_side_px);
  warnings.push(...target.warnings);
  if (width !== upright.width || height !== upright.height) {
    const detail = `${upright.width} × ${upright.height} px was reduced to ${width} × ${height} px: ${target.codec} needs even sides.`;
    warnings.push({ code: 'size_reduced', detail });
  }
  const audio = input.audio === 'keep' ? audibleIn(probe, spans) : null;
  if (input.audio === 'keep' && !audio) warnings.push(noSound(probe));
  const sound = audio && {
    stream: audio,
    target: audioTarget(audio, input.format, { codec: 'auto', kbps: null }),
  };
  return {
    probe,
    video,
    target,
    filters,
    width,
    height,
    sound,
  };
}
type CutFrame = ReturnType<typeof cutFrame>;

/** @param before The preceding span in the output. */
export function keptOrFail(
  probe: MediaProbe,
  video: VideoStream,
  span: Span,
  request: RangesRequest,
  before?: Span,
): Kept {
  const { packets } = request.facts;
  const kept = keptFrames(probe, video, span, packets, goesOn(before, span));
  if (kept.frames !== 0) return kept;
  const longFrame = keptFrames(probe, video, span, packets);
  if (longFrame.frames !== 0) return longFrame;
  throw noFrame(span);
}

/** Whether the end of the last frame is stated explicitly, because frame durations vary. */
export const holdsLast = (kept: readonly Pick<Kept, 'uneven' | 'pinned'>[]) =>
  kept.some(({ uneven, pinned }) => uneven || pinned);

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

/** @param moved Whether the output plays at another rate. */
export function variableRate(moved = false): Warning {
  const time = moved ? 'moves to its own new time' : 'keeps its original time';
  return { code: 'source_vfr', detail: `The source has a variable frame rate; every frame ${time}.` };
}
