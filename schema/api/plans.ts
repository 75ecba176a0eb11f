/** What a plan can unlock; an operation's descriptor names the one it needs. */
export const features = {
  video: 'cut, crop, merge, transcode, probe and silence removal',
  frames: 'still pictures out of a video',
  visualizer: 'audio visualizer',
  photo: 'photo animation',
  redub: 'audio redub',
  captions: 'automatic captions',
  redub_tts: 'text-to-speech redub',
  redub_vc: 'voice conversion',
  separate: 'separation of vocals and music',
  priority: 'three times the share of machines when they are short, and first in line at equal share',
} as const satisfies Record<string, string>;

export type Feature = keyof typeof features;

export interface Plan {
  title: string;
  /** Creations a minute: the size of a token bucket whose tokens come back 60 s after they were taken. */
  creations_per_minute: number;
  /** Requests a second that create nothing, sustained over 10 s; attempts to create are counted apart, up to the same number. */
  polls_per_second: number;
  /** Waits and event streams open at once. */
  connections: number;
  running: number;
  waiting: number;
  source_bytes: number;
  source_seconds: number;
  /** Pixels of one picture of a source. */
  source_pixels: number;
  /** Pixels of a picture times seconds of a source: a small file can hold hours of huge pictures. */
  source_pixel_seconds: number;
  /** Streams of a source, whatever their kind. */
  source_streams: number;
  /** Channels of a sound. */
  source_channels: number;
  /** Wall time of one attempt at a task. */
  task_seconds: number;
  /** Longest side of a rendered picture. */
  output_side_px: number;
  /** Size of any file that a task writes, on its way too. */
  output_bytes: number;
  /** All files of a task on the disk of its machine at once, sources among them. */
  work_bytes: number;
  merge_inputs: number;
  /** How long files are kept after the end of their task. */
  retention_seconds: number;
  /** How long the record of a task is kept after its end. */
  record_seconds: number;
  features: readonly Feature[];
}

const MB = 1_000_000;
const HOUR = 3600;
const DAY = 24 * HOUR;
/** Pixels. */
const UHD_4K = 4096 * 2304;
const UHD_8K = 8192 * 4608;
/** Twice 8K: nothing larger is ever decoded. */
export const MAX_PIXELS = 8192 * 8192;

const basicFeatures = ['video', 'frames', 'visualizer', 'photo', 'redub', 'captions'] as const;
const boostFeatures = [...basicFeatures, 'redub_tts', 'redub_vc', 'separate'] as const;
/** Of a file with more of them none is read. */
export const MAX_STREAMS = 64;

export const plans = {
  basic: {
    title: 'Basic',
    creations_per_minute: 30,
    polls_per_second: 5,
    connections: 20,
    running: 2,
    waiting: 20,
    source_bytes: 500 * MB,
    source_seconds: HOUR / 2,
    source_pixels: UHD_8K,
    source_pixel_seconds: UHD_4K * (HOUR / 2),
    source_streams: 16,
    source_channels: 16,
    task_seconds: 10 * 60,
    output_side_px: 1920,
    output_bytes: 4000 * MB,
    work_bytes: 10_000 * MB,
    merge_inputs: 10,
    retention_seconds: DAY,
    record_seconds: 90 * DAY,
    features: basicFeatures,
  },
  boost: {
    title: 'Boost',
    creations_per_minute: 120,
    polls_per_second: 20,
    connections: 100,
    running: 8,
    waiting: 200,
    source_bytes: 2000 * MB,
    source_seconds: 2 * HOUR,
    source_pixels: MAX_PIXELS,
    source_pixel_seconds: UHD_4K * 2 * HOUR,
    source_streams: 32,
    source_channels: 32,
    task_seconds: 30 * 60,
    output_side_px: 2560,
    output_bytes: 8000 * MB,
    work_bytes: 14_000 * MB,
    merge_inputs: 30,
    retention_seconds: 7 * DAY,
    record_seconds: 180 * DAY,
    features: boostFeatures,
  },
  elite: {
    title: 'Elite',
    creations_per_minute: 300,
    polls_per_second: 50,
    connections: 250,
    running: 25,
    waiting: 1000,
    source_bytes: 5000 * MB,
    source_seconds: 6 * HOUR,
    source_pixels: MAX_PIXELS,
    source_pixel_seconds: UHD_4K * 6 * HOUR,
    source_streams: MAX_STREAMS,
    source_channels: 64,
    task_seconds: 120 * 60,
    output_side_px: 4096,
    output_bytes: 10_000 * MB,
    work_bytes: 16_000 * MB,
    merge_inputs: 100,
    retention_seconds: 30 * DAY,
    record_seconds: 365 * DAY,
    features: [...boostFeatures, 'priority'],
  },
} as const satisfies Record<string, Plan>;

/** A record moves from D1 to the archive once its task ended this long ago and its files are gone. */
export const ARCHIVE_AFTER_SECONDS = 7 * DAY;

export type PlanName = keyof typeof plans;

/** How long a container stays warm for an account that has no work for it, seconds. */
export const warmSeconds = { basic: 15, boost: 20, elite: 30 } as const satisfies Record<PlanName, number>;

export const planNames = Object.keys(plans) as [PlanName, ...PlanName[]];

export function planOf(name: PlanName): Plan {
  return plans[name];
}
