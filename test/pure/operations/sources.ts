import { isMap, transitionNames } from '../../../schema/media/transitions.ts';
import { taskLimits } from '../../../schema/task/wire.ts';
import type { Capabilities } from '../../../transcoder/model/capabilities.ts';
import type { Means } from '../../../transcoder/model/plan.ts';
import type { AudioStream, MovingProbe, StillProbe } from '../../../transcoder/model/source/media-probe.ts';
import type { VideoStream } from '../../../transcoder/model/source/video-stream.ts';

export const capabilities: Capabilities = {
  version: '7.1.5',
  encoders: new Set(['libx264', 'libx265', 'libvpx-vp9', 'libsvtav1', 'prores_ks']),
  filters: new Set(['zscale', 'tonemap']),
  transitions: new Set(transitionNames.filter((name) => !isMap(name))),
};
export const limits = taskLimits.parse({
  source_bytes: 1e9,
  source_seconds: 7200,
  task_seconds: 600,
  output_side_px: 1920,
});

export const means: Means = {
  limits,
  capabilities,
  engines: new Set(['centre_mask', 'rubberband', 'pocketsphinx']),
};

const video: VideoStream = {
  index: 0,
  codec: 'h264',
  width: 1280,
  height: 720,
  sar: 1,
  sarText: '1:1',
  rotation: 0,
  displayWidth: 1280,
  displayHeight: 720,
  pixelFormat: 'yuv420p',
  bitDepth: 8,
  alpha: false,
  chroma: [2, 2],
  color: { space: 'bt709', transfer: 'bt709', primaries: 'bt709', range: 'tv' },
  interlaced: false,
  deinterlace: 'auto',
  hdr: false,
  mastering: null,
  timeBase: '1/15360',
  frameRate: '30/1',
  frameDuration: 1 / 30,
  decodeDelay: 0,
  pace: 'constant',
  frames: 300,
  startTime: 0,
  duration: 10,
  kbps: 2000,
};

const audio: AudioStream = {
  index: 1,
  codec: 'aac',
  sampleRate: 48_000,
  channels: 2,
  layout: 'stereo',
  bitsPerSample: null,
  startTime: 0,
  duration: 10,
  kbps: 128,
  timeBase: '1/48000',
  endsStated: false,
};

export const source: MovingProbe = {
  format: 'mov',
  container: 'mp4',
  fileSize: 2_700_000,
  still: false,
  duration: 10,
  origin: 0,
  kbps: 2150,
  streams: [],
  chapters: [],
  video,
  audio,
};

export const like = (changes: Partial<VideoStream>, more: Partial<MovingProbe> = {}): MovingProbe => ({
  ...source,
  ...more,
  video: { ...video, ...changes },
});

/** A picture that has no end. */
export const stillLike = (changes: Partial<VideoStream>, more: Partial<StillProbe> = {}): StillProbe => ({
  ...source,
  ...{ format: 'png_pipe', container: 'png', still: true, duration: null, audio: null },
  ...more,
  video: { ...video, startTime: 0, duration: 0, ...changes },
});
