import { expect, it } from 'vitest';
import { audioArguments, videoArguments } from '../../../transcoder/ffmpeg/encoders.ts';
import type { VideoEncoder, VideoEncoding } from '../../../transcoder/model/encoding.ts';

const encoded = (encoder: VideoEncoder, pixelFormat: string) => {
  const rate = { kbps: 1000, qmax: 42 };
  const color = { space: null, transfer: null, primaries: null, range: null };
  const encoding = {
    encoder,
    rate,
    pixelFormat,
    keyframeInterval: 60,
    frameSeconds: 1001 / 30_000,
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

it('encoders get the frame rate, which newer ffmpeg does not know behind a filter of times', () => {
  expect(encoded('libx264', 'yuv420p')).toContain('-x264-params fps=30000/1001');
  expect(encoded('libx265', 'yuv420p')).toMatch(/-x265-params \S*fps=30000\/1001/);
  expect(encoded('libsvtav1', 'yuv420p')).toContain('-svtav1-params fps-num=30000:fps-denom=1001');
});

it('FLAC has at most 24 bits a sample, which every player reads', () => {
  expect(audioArguments({ encoder: 'flac', kbps: null }).join(' ')).toContain('-bits_per_raw_sample:a 24');
});
