import type { AudioStream, MediaProbe } from '../../model/source/media-probe.ts';
import { SOUND_ALONE } from '../../model/source/sound-alone.ts';
import type { VideoStream } from '../../model/source/video-stream.ts';
import { TaskFailure } from '../../model/task-failure.ts';

export function only(probes: readonly MediaProbe[]): MediaProbe {
  const [probe] = probes;
  if (!probe) throw new Error('an operation on one source got none');
  return probe;
}

/** The probe of a source that the request names. */
export function probeOf(probes: readonly MediaProbe[], source: number): MediaProbe {
  const probe = probes[source];
  if (!probe) throw new Error(`source ${source} has no probe`);
  return probe;
}

/** A moving or still picture. Throws `source_no_video`. */
export function pictureOf(probe: MediaProbe, sourceIndex = 0): VideoStream {
  if (probe.video) return probe.video;
  const unread = [...probe.streams, ...(probe.lost ?? [])].find(({ type }) => type === 'video');
  const detail = unread
    ? `The video of the source is damaged or coded in a way that is not supported (codec: ${unread.codec}).`
    : SOUND_ALONE;
  throw new TaskFailure('source_no_video', detail, { sourceIndex });
}

/** A moving picture and its duration. Throws `source_no_video`. */
export function movingOf(probe: MediaProbe, sourceIndex = 0): { video: VideoStream; duration: number } {
  return { video: pictureOf(probe, sourceIndex), duration: lengthOf(probe, sourceIndex) };
}

/** A moving picture; null if the request takes its source as sound. Throws `source_no_video`. */
export const shownVideo = (
  { video_url }: { video_url?: string | undefined },
  probe: MediaProbe,
): VideoStream | null => (video_url === undefined ? null : movingOf(probe).video);

/** Duration in seconds. Throws `source_no_video` for a still picture, which has none. */
export function lengthOf(probe: MediaProbe, sourceIndex = 0): number {
  if (!probe.still) return probe.duration;
  throw new TaskFailure('source_no_video', 'The source is a still picture, but a video is required.', {
    sourceIndex,
  });
}

/** The failure of a field that names a time after the end of the source. @param duration Null of a still picture. */
export function pastEnd(field: string, time: number, duration: number | null): TaskFailure {
  const found =
    duration === null
      ? 'the source is a still picture, which has no other time than 0'
      : `the source is only ${shown(duration)} s long`;
  const detail = `${field} is ${shown(time)} s, but ${found}.`;
  return new TaskFailure('time_out_of_range', detail, { sourceIndex: 0 });
}

/** Seconds until the end of a sound, which the pictures of its source may outlast. @param whole Of the source. */
export function soundSeconds({ origin }: MediaProbe, audio: AudioStream, whole: number): number {
  const end = audio.startTime - origin + audio.duration;
  return end > 0 ? Math.min(whole, end) : whole;
}

/** The sound of a source. Throws `source_no_audio`. */
export function audioOf(probe: MediaProbe): AudioStream {
  if (probe.audio) return probe.audio;
  throw new TaskFailure('source_no_audio', 'The source has no audio.', { sourceIndex: 0 });
}

/** Throws `output_too_large` if a side exceeds the account's plan. */
export function checkSide(size: { width: number; height: number }, most: number): void {
  if (Math.max(size.width, size.height) <= most) return;
  throw new TaskFailure(
    'output_too_large',
    `The output would be ${size.width} × ${size.height} px; your plan allows up to ${most} px per side.`,
  );
}

/** Rounds to microseconds, to remove floating-point noise from results. */
export function micros(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}

/** Rounds rates to what people read. */
export const thousandths = (value: number): number => Math.round(value * 1000) / 1000;

/** A number for people to read: at most three decimals. */
export const shown = (value: number): string => `${thousandths(value)}`;
