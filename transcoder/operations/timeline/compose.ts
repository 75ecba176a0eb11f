import { type ClipItem, SLOWEST_FRAMES, type Track } from '../../../schema/otio/timeline.ts';
import type { Warning } from '../../../schema/task/task.ts';
import { greatest } from '../../model/numbers/min-max.ts';
import type { Analysis, Plan } from '../../model/plan.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { VideoStream } from '../../model/source/video-stream.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { audioOnlyTarget, audioTarget } from '../plan/audio-target.ts';
import { type FrameRate, frameRate } from '../plan/frame-rate.ts';
import type { Span } from '../plan/frames.ts';
import { planMedia } from '../plan/output.ts';
import { soundOf as soundFileOf } from '../plan/output-files.ts';
import { movingOf, shown } from '../plan/require-streams.ts';
import { canvasOf, clipWarnings, sizeOf } from '../plan/timeline/canvas.ts';
import { planTimeline, surveysOfSpans } from '../plan/timeline/splice-timeline.ts';
import type { Clip, SoundClip } from '../plan/timeline/timeline.ts';
import type { Document, TimelineInput, TimelineRequest } from './document.ts';
import { frameAt, lastFrameOf, type MediaClock } from './media-clock.ts';
import { soundOf } from './sound.ts';
import { secondsIn, timelineOf } from './tracks.ts';

/** The surveys needed to copy packets into an output that joins several tracks or sources. */
export function surveysOfTracks(
  input: TimelineInput,
  document: Document,
  probes: readonly MediaProbe[],
  spans: readonly (readonly Span[])[],
): Analysis[] {
  const [first] = videosOf(document, (source) => probes[source] ?? null);
  return first ? surveysOfSpans(input, probes, sizeOf(input, first), spans) : [];
}

/** The pictures of the clips, in order. Throws `source_no_video`. */
function videosOf(
  { timeline: { picture }, sourceOf }: Document,
  probeOf: (source: number) => MediaProbe | null,
) {
  const clips = picture?.items.filter((item) => item.kind === 'clip') ?? [];
  return clips.flatMap((item): VideoStream[] => {
    const source = sourceOf(item);
    const probe = probeOf(source);
    return probe ? [movingOf(probe, source).video] : [];
  });
}

/** Joins the clips of all tracks at a constant frame rate. */
export function planTracks(
  request: TimelineRequest,
  document: Document,
  clocks: readonly MediaClock[],
  warnings: Warning[],
): Plan {
  const { picture, sound: tracks } = document.timeline;
  const clockOf = (item: ClipItem) => {
    const clock = clocks[document.sourceOf(item)];
    if (!clock) throw new Error('a clip without a source');
    return clock;
  };
  const seconds = greatest(
    [...(picture ? [picture] : []), ...tracks].map(({ items }) => secondsIn(items, clockOf)),
  );
  const sounding = { document, input: request.input, clocks, seconds };
  if (!picture) return planSound(sounding, request);
  const [video, ...others] = videosOf(document, (source) => clocks[source]?.probe ?? null);
  if (!video) throw new Error('a track of pictures without clips');
  const rate = rateOf(request.input, picture, video);
  const frames = Math.round(seconds * rate.fps);
  if (frames === 0) throw tooShort(seconds, `a frame at ${rate.fps} fps`);
  const timeline = timelineOf<Clip>({
    ...{ items: picture.items, rate, clockOf, frames, startOf: frameAt },
    clipAt: (item, clip: SoundClip): Clip => {
      const last = lastFrameOf(clockOf(item));
      const { video: own } = movingOf(clip.probe, document.sourceOf(item));
      return { ...clip, video: own, ...(last === undefined ? {} : { last }) };
    },
  });
  const canvas = canvasOf(request, [video, ...others], rate.fps, warnings);
  warnings.push(...clipWarnings(timeline));
  const { format } = request.input;
  const lasting = { ...sounding, seconds: timeline.frames / rate.fps };
  const sound = soundOf(lasting, (stream) => audioTarget(stream, format));
  return planTimeline(request, timeline, canvas, sound, warnings);
}

function tooShort(seconds: number, unit: string): TaskFailure {
  const detail = `The document lasts ${shown(seconds)} s, less than half ${unit}. Give its clips a longer \`source_range\`.`;
  return new TaskFailure('clip_too_short', detail);
}

/** A rate below counts seconds, and one above ticks. */
const [SLOWEST, FASTEST] = [SLOWEST_FRAMES, 120];

function rateOf({ fps }: TimelineInput, { items }: Track, video: VideoStream): FrameRate {
  if (fps !== undefined) return frameRate(fps);
  const first = items.find((item) => item.kind === 'clip');
  const own = first?.duration?.rate;
  const plays = own !== undefined && own >= SLOWEST && own <= FASTEST;
  return frameRate(plays ? own : Math.min(FASTEST, Math.max(1, 1 / video.frameDuration)));
}

function planSound(sounding: Parameters<typeof soundOf>[0], request: TimelineRequest): Plan {
  const container = soundFileOf[request.input.format];
  const sound = soundOf(sounding, (stream) => audioOnlyTarget(stream, container));
  if (!sound) throw new Error('a document without clips');
  const { seconds: duration } = sounding;
  if (Math.round(duration * sound.target.sampleRate) === 0) throw tooShort(duration, 'a sample');
  return planMedia(
    sound.steps,
    {
      ...{ container, picture: null, ...sound.mix(sound.target, 0) },
      sound: { from: 'a', encode: sound.target.encoding },
      ...{ duration, weight: duration / 10 },
    },
    { copied: 0 },
  );
}
