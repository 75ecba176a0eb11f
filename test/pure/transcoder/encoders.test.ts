import { expect, it } from 'vitest';
import { videoArguments } from '../../../transcoder/ffmpeg/encoders.ts';
import type { VideoEncoder, VideoEncoding } from '../../../transcoder/model/encoding.ts';

const encoded = (encoder: VideoEncoder, pixelFormat: string) => {
  const rate = { kbps: 1000, qmax: 42 };
  const color = { space: null, transfer: null, primaries: null, range: null };
  const encoding = {
    encoder,
    rate,
    pixelFormat,
    keyframeInterval: 60,
    timeBase: '1/15360',
    reorder: true,
    color,
  };
  return videoArguments(encoding as VideoEncoding, 'mp4').join(' ');
};

it('the coarsest quantiser is counted as the encoder counts: x264 from the finest of the bit depth', () => {
  expect(encoded('libx264', 'yuv420p')).toContain('-b:v 1000k -qmax 42');
  expect(encoded('libx264', 'yuv420p10le')).toContain('-b:v 1000k -qmax 54');
  expect(encoded('libx265', 'yuv420p10le')).toContain('-b:v 1000k -qmax 42');
});
