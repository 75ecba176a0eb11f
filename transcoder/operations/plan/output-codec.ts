import {
  codecFits,
  codecsOf,
  type VideoCodec,
  type VideoContainer,
  videoCodecs,
} from '../../../schema/operations/fields/fields.ts';
import type { StatedVideo } from '../../model/source/video-stream.ts';

/** The codec to encode in, if the request leaves it to us. */
export function codecOf(
  video: Pick<StatedVideo, 'codec'>,
  format: VideoContainer,
  asked: 'auto' | VideoCodec,
): VideoCodec {
  if (asked !== 'auto') return asked;
  const own = videoCodecs.find((name) => name === video.codec);
  return own && codecFits(format, own) ? own : codecsOf[format][0];
}
