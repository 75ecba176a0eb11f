import type { VideoContainer } from '../../../schema/operations/fields/fields.ts';
import type { OperationInput } from '../../../schema/operations/index.ts';
import type { Warning } from '../../../schema/task/task.ts';
import type { AudioStream, MediaProbe } from '../../model/media-probe.ts';
import type { Plan, PlanRequest } from '../../model/plan.ts';
import type { Output, Render } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { VideoStream } from '../../model/video-stream.ts';
import { audioTarget, probedCodec } from './audio-target.ts';
import { audioFades, audioSpan, evenCrop, videoFades, videoSpan } from './filters.ts';
import { goesOn, isVariable, type Kept, keptFrames, type Span, seekFor } from './frame-selection.ts';
import { demuxerFor, videoFile } from './output-files.ts';
import { checkSide, frameRate, micros, movingOf, only, shown } from './require-streams.ts';
import { videoTarget } from './video-target.ts';

/** What a request for ranges of a video says of the output. */
export type RangesInput = Pick<
  OperationInput<'cut'>,
  'format' | 'codec' | 'quality' | 'audio' | 'fade_in' | 'fade_out'
>;
export type RangesRequest = PlanRequest<RangesInput>;

/** Renders one range in one run. */
export function planRange(request: RangesRequest, spans: readonly Span[], warnings: Warning[]): Plan {
  const [span] = spans;
  if (!span) throw new Error('a cut without ranges');
  const { input, facts } = request;
  const frame = cutFrame(request, spans, warnings);
  const { probe, video, target, width, height } = frame;
  const kept = keptOrFail(probe, video, span, request);
  const variable = facts.packets !== undefined && isVariable(facts.packets);
  const held = holdsLast([kept]);
  if (variable) warnings.push(variableRate());
  const total = micros(span.end - span.start);
  const fades = { in: input.fade_in, out: input.fade_out };
  const sound = frame.sound;
  const seek = seekFor(probe, video, span, kept);
  const render: Render = {
    kind: 'render',
    inputs: [{ source: 0, seek }],
    chains: [
      {
        from: [`0:${video.index}`],
        filters: [...videoSpan(probe, video, span, kept), ...frame.filters, ...videoFades(fades, total)],
        to: ['v'],
      },
      ...(sound
        ? [
            {
              from: [`0:${sound.stream.index}`],
              filters: [...audioSpan(probe, span), ...audioFades(fades, total), ...sound.target.after],
              to: ['a'],
            },
          ]
        : []),
    ],
    outputs: [cutOutput(frame, held ? total : undefined)],
    seconds: total,
    lead: seek === null ? span.start : 1,
  };
  return {
    steps: [render],
    files: [frame.file],
    expect: {
      pictures: [],
      media: [
        {
          file: frame.file.file,
          format: demuxerFor(input.format),
          video: { codec: target.codec, width, height, frames: kept.frames },
          identity: { fades, heard: sound !== null },
          audio: sound ? { codec: probedCodec[sound.target.encoding.encoder] } : null,
          duration: total,
          tolerance: video.frameDuration,
          endsTogether: endsAlike(input.format, probe, span, held),
          slack: 0,
        },
      ],
    },
    duration: total,
    width,
    height,
    fps: variable ? frameRate(total / (kept.frames ?? 1)) : frameRate(video.frameDuration),
    data: { copied_seconds: 0, rendered_seconds: total },
    time_map: [{ source: 0, in: [span.start, span.end], out: [0, total] }],
    warnings,
  };
}

/** The part of a request that determines the video encoding. */
type FrameRequest = Omit<RangesRequest, 'input'> & {
  input: Pick<RangesRequest['input'], 'format' | 'codec' | 'quality' | 'audio'>;
};

/** Settings that all rendered cuts share, whatever their ranges. */
export function cutFrame(request: FrameRequest, spans: readonly Span[], warnings: Warning[]) {
  const { input, probes, limits, capabilities } = request;
  const probe = only(probes);
  const { video } = movingOf(probe);
  const upright = video.rotation % 180 === 0 ? video : { width: video.height, height: video.width };
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
    file: videoFile(input.format),
    format: input.format,
  };
}
type CutFrame = ReturnType<typeof cutFrame>;

function cutOutput(frame: CutFrame, until: number | undefined): Output {
  const { file, format, target, sound } = frame;
  const held = until === undefined ? {} : { until };
  const encode = until === undefined ? target.encoding : { ...target.encoding, reorder: false };
  return {
    file: file.file,
    container: format,
    video: { from: 'v', encode, ...held },
    audio: sound ? { from: 'a', encode: sound.target.encoding } : null,
  };
}

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

/** Whether sound and picture end together, as far as the container says when the last frame ends. Matroska does not. */
export function endsAlike(format: VideoContainer, probe: MediaProbe, span: Span, held: boolean): boolean {
  if (!held) return endsWithVideo(probe, span);
  return (format === 'mp4' || format === 'mov') && endsWithVideo({ ...probe, video: null }, span);
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

/** @param moved Whether the output plays at another rate. */
export function variableRate(moved = false): Warning {
  const time = moved ? 'moves to its own new time' : 'keeps its original time';
  return { code: 'source_vfr', detail: `The source has a variable frame rate; every frame ${time}.` };
}

/** Whether the source has both sound and picture up to the end of this span. */
export function endsWithVideo(probe: MediaProbe, span: Span): boolean {
  const end = probe.origin + span.end - 0.05;
  const reaches = (stream: { startTime: number; duration: number } | null) =>
    stream === null || stream.startTime + stream.duration >= end;
  return reaches(probe.video) && reaches(probe.audio);
}
