/** Features of a plan. Each operation names the one it needs. */
export const features = {
  video: 'cut, crop, merge, transcode, probe and silence removal',
  frames: 'still frames',
  visualizer: 'audio visualization',
  photo: 'photo animation',
  redub: 'replacing or mixing audio',
  captions: 'automatic captions',
  redub_tts: 'text-to-speech redub',
  redub_vc: 'voice conversion',
  separate: 'separating vocals and music',
  priority:
    'three times the share of machines when capacity is short, and precedence among accounts with an equal share',
} as const satisfies Record<string, string>;

export type Feature = keyof typeof features;

export interface Plan {
  title: string;
  /** Task creations per minute. A token bucket of this size; each token returns 60 s after it was taken. */
  creations_per_minute: number;
  /** Requests per second that create no task, averaged over 10 s. Attempts to create tasks are counted separately, with the same limit. */
  polls_per_second: number;
  /** Long polls and event streams open at the same time. */
  connections: number;
  running: number;
  waiting: number;
  source_bytes: number;
  source_seconds: number;
  /** Pixels per frame of a source. */
  source_pixels: number;
  /** Pixels per frame × seconds. A small file can contain hours of huge frames. */
  source_pixel_seconds: number;
  /** Streams of any kind in a source. */
  source_streams: number;
  /** Channels of an audio track. */
  source_channels: number;
  /** Wall-clock time of one attempt. */
  task_seconds: number;
  /** Longest side of a rendered frame. */
  output_side_px: number;
  /** Size of any file a task writes, intermediate files included. */
  output_bytes: number;
  /** Disk space of a task, sources included. */
  work_bytes: number;
  merge_inputs: number;
  /** How long output files are kept after the task ends. */
  retention_seconds: number;
  /** How long the task record is kept after the task ends. */
  record_seconds: number;
  features: readonly Feature[];
}

const MB = 1_000_000;
const HOUR = 3600;
const DAY = 24 * HOUR;
/** Pixels. */
const UHD_4K = 4096 * 2304;
const UHD_8K = 8192 * 4608;
/** About twice 8K; larger frames are never decoded. */
export const MAX_PIXELS = 8192 * 8192;

const basicFeatures = ['video', 'frames', 'visualizer', 'photo', 'redub', 'captions'] as const;
const boostFeatures = [...basicFeatures, 'redub_tts', 'redub_vc', 'separate'] as const;
/** A file with more streams is refused on every plan. */
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

/** A task record moves from D1 to the archive this long after the task ended, once its files are deleted. */
export const ARCHIVE_AFTER_SECONDS = 7 * DAY;

export type PlanName = keyof typeof plans;

/** Seconds that an idle container stays warm for its account. */
export const warmSeconds = { basic: 15, boost: 20, elite: 30 } as const satisfies Record<PlanName, number>;

export const planNames = Object.keys(plans) as [PlanName, ...PlanName[]];

export function planOf(name: PlanName): Plan {
  return plans[name];
}
