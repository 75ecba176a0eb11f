import type { OperationInput } from '../../../schema/operations/index.ts';
import type { Capabilities } from '../../model/capabilities.ts';
import type { StatedVideo } from '../../model/source/video-stream.ts';
import type { FrameRate } from './frame-rate.ts';
import type { Size } from './geometry.ts';
import { drawnColor, type VideoTarget, videoTarget } from './video-target.ts';

/** Encoding of pictures that we draw: BT.709, constant frame rate. Throws `engine_unavailable`. */
export function drawnTarget(
  asked: Pick<OperationInput<'visualize'>, 'format' | 'codec' | 'quality'>,
  size: Size,
  { fps }: FrameRate,
  capabilities: Capabilities,
): VideoTarget {
  return videoTarget(drawnStream(size, fps), { ...asked, fps }, size, capabilities);
}

function drawnStream({ width, height }: Size, fps: number): StatedVideo {
  return {
    index: 0,
    codec: 'drawn',
    ...{ width, height, displayWidth: width, displayHeight: height },
    sar: 1,
    sarText: '1:1',
    rotation: 0,
    pixelFormat: 'yuv420p',
    bitDepth: 8,
    alpha: false,
    chroma: [2, 2],
    color: drawnColor,
    interlaced: false,
    deinterlace: 'auto',
    hdr: false,
    mastering: null,
    timeBase: '1/90000',
    frameRate: null,
    frameDuration: 1 / fps,
    decodeDelay: 0,
    pace: 'constant',
    frames: null,
    kbps: null,
  };
}
