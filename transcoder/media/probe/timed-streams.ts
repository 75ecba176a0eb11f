import type { AudioStream, StreamFacts } from '../../model/source/media-probe.ts';
import type { SourceClock, TrackTimes } from '../../model/source/source-clock.ts';
import type { VideoStream } from '../../model/source/video-stream.ts';
import type { StatedSource, StatedStream } from './streams.ts';
import type { ChosenTimes } from './track-times.ts';

interface Streams {
  streams: StreamFacts[];
  video: VideoStream | null;
  audio: AudioStream | null;
}

/** Streams of a still image. */
export function stillStreams(stated: StatedSource): Streams & { audio: null } {
  const instant = { startTime: 0, duration: 0 };
  const streams = stated.streams.map((stream) => ({
    ...stream,
    video: stream.video && { ...stream.video, ...instant },
    audio: null,
  }));
  return { streams, video: stated.video && { ...stated.video, ...instant }, audio: null };
}

interface Known extends SourceClock {
  times: ChosenTimes;
  kbps: number | null;
}

/** Adds times to the streams of a moving source. Streams that are not chosen and state no times last as long as the source. */
export function movingStreams(stated: StatedSource, { origin, duration, times, kbps }: Known): Streams {
  const whole: TrackTimes = { start: origin, end: origin + duration };
  const known = new Map<number, TrackTimes>();
  if (stated.video && times.video) known.set(stated.video.index, times.video);
  if (stated.audio && times.audio) known.set(stated.audio.index, times.audio);
  const left = leftOver(kbps, stated.streams);
  const streams = stated.streams.map((stream): StreamFacts => {
    const own = known.get(stream.index);
    const startTime = own?.start ?? stream.startTime;
    const seconds = own ? own.end - own.start : stream.duration;
    const shown = { startTime: startTime ?? whole.start, duration: seconds ?? duration };
    return {
      ...stream,
      ...{ startTime, duration: seconds },
      video: stream.video && {
        ...{ ...stream.video, ...shown },
        // Frame threading adds delay beyond the decoder's own.
        decodeDelay: Math.min((own && times.late) ?? Number.POSITIVE_INFINITY, stream.video.decodeDelay),
        kbps: stream.video.kbps ?? left,
      },
      audio: stream.audio && {
        ...{ ...stream.audio, ...shown },
        endsStated: own !== undefined && times.endsStated,
      },
    };
  });
  const video = streams.find(({ index }) => index === stated.video?.index)?.video ?? null;
  const audio = streams.find(({ index }) => index === stated.audio?.index)?.audio ?? null;
  return { streams, video: video && { ...video, ...irregular(times) }, audio };
}

function irregular({ gaps, timedByDecoding, withinGroup }: ChosenTimes): Partial<VideoStream> {
  if (withinGroup) return { withinGroup };
  if (timedByDecoding) return { pace: 'unknown', timedByDecoding };
  return gaps ? { pace: 'unknown' } : {};
}

/** Assumed when the bitrate is missing: Matroska and WebM state only that of the whole file. */
const USUAL_SOUND_KBPS = 96;

/** Bitrate of the only video stream: the file's bitrate minus the audio's; null if unknown. */
function leftOver(kbps: number | null, streams: readonly StatedStream[]): number | null {
  if (kbps === null || streams.filter(({ video }) => video !== null).length > 1) return null;
  const sound = streams.filter(({ audio }) => audio !== null);
  const left = kbps - sound.reduce((sum, stream) => sum + (stream.kbps ?? USUAL_SOUND_KBPS), 0);
  return left > 0 ? left : null;
}
