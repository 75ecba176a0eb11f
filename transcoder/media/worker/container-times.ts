import { AV_NOPTS_VALUE, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { avRescaleQ, type FormatContext, Rational, type Stream } from 'node-av/lib';

export interface ContainerTimes {
  /** Microseconds, as the duration; null where unknown. */
  startTime: number | null;
  duration: number | null;
  /** Bits a second; 0 where unknown. */
  bitRate: number;
}

const MICROS = 1_000_000;
const micros = new Rational(1, MICROS);

/**
 * Of an input; where its demuxer leaves them to be found, from the times of its streams, as libav does it.
 * @param bytes Size of the file.
 */
export function containerTimes(input: FormatContext, bytes: number): ContainerTimes {
  const known = (time: bigint) => (time === AV_NOPTS_VALUE ? null : Number(time));
  if (input.duration === AV_NOPTS_VALUE && input.streams.every(isTimed))
    return ofStreams(input.streams, bytes);
  return {
    startTime: known(input.startTime),
    duration: known(input.duration),
    bitRate: Number(input.bitRate),
  };
}

const isTimed = ({ startTime, duration }: Stream) =>
  startTime !== AV_NOPTS_VALUE && duration !== AV_NOPTS_VALUE;

function ofStreams(streams: readonly Stream[], bytes: number): ContainerTimes {
  const [media, others] = [
    streams.filter(isMedia).map(spanOf),
    streams.filter((s) => !isMedia(s)).map(spanOf),
  ];
  /** Captions and data count where they reach a little further than the rest. */
  const furthest = (value: (span: Span) => number) => {
    const [own, other] = [Math.max(...media.map(value)), Math.max(...others.map(value))];
    return media.length === 0 || (own < other && other - own < MICROS) ? other : own;
  };
  const startTime = 0 - furthest(({ start }) => 0 - start);
  const end = furthest(({ start, duration }) => start + duration);
  const duration = Math.max(
    end - startTime,
    furthest((span) => span.duration),
  );
  return { startTime, duration, bitRate: duration > 0 ? Math.floor((bytes * 8 * MICROS) / duration) : 0 };
}

interface Span {
  start: number;
  duration: number;
}

const isMedia = ({ codecpar: { codecType } }: Stream) =>
  codecType === AVMEDIA_TYPE_VIDEO || codecType === AVMEDIA_TYPE_AUDIO;

function spanOf({ startTime, duration, timeBase }: Stream): Span {
  return {
    start: Number(avRescaleQ(startTime, timeBase, micros)),
    duration: Number(avRescaleQ(duration, timeBase, micros)),
  };
}
