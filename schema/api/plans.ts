/** Features of a plan. Each operation names the one it needs. */
export const features = {
  video: 'cut, crop, transcode, remux, silence removal, speed, merge, timeline and probe',
  frames: 'still frames',
  visualizer: 'audio visualization',
  photo: 'photo animation',
  redub: 'replacing or mixing audio',
  captions: 'automatic captions, transcription and editing by text',
  redub_tts: 'text-to-speech redub',
  redub_vc: 'voice conversion',
  separate: 'separating vocals and music',
  priority:
    'three times the share of machines when capacity is short, and precedence among accounts with an equal share',
} as const satisfies Record<string, string>;

export type Feature = keyof typeof features;

export type PlanName = 'basic' | 'boost' | 'elite';

const MB = 1_000_000;
const HOUR = 3600;
const DAY = 24 * HOUR;
/** Pixels. */
const UHD_4K = 4096 * 2304;
const UHD_8K = 8192 * 4608;
/** About twice 8K; larger frames are never decoded. */
export const MAX_PIXELS = 8192 * 8192;

/** A file with more streams is refused on every plan. */
export const MAX_STREAMS = 64;

/** `px` measures a side of a picture, `pixels` its area. */
export type LimitUnit = 'count' | 'bytes' | 'seconds' | 'px' | 'pixels' | 'pixel_seconds';

/**
 * Where a limit is enforced: `request` when a request arrives, `queue` by the waiting line of the account, `retention` by what
 * deletes files and records, `container` by the transcoder, which gets it with each task.
 */
export type LimitScope = 'request' | 'queue' | 'retention' | 'container';

interface LimitEntry {
  /** Its name in the documentation. */
  doc: string;
  unit: LimitUnit;
  scope: LimitScope;
  values: Record<PlanName, number>;
}

/** Every limit of a plan. The plans, the documents, `/capabilities` and the message to the transcoder are loops over this. */
export const planLimits = {
  /** A token bucket of this size; each token returns 60 s after it was taken. */
  creations_per_minute: {
    doc: 'Task creations per minute',
    unit: 'count',
    scope: 'request',
    values: { basic: 30, boost: 120, elite: 300 },
  },
  /** Requests that create no task, averaged over 10 s. Attempts to create tasks are counted separately, with the same limit. */
  polls_per_second: {
    doc: 'Other requests per second',
    unit: 'count',
    scope: 'request',
    values: { basic: 5, boost: 20, elite: 50 },
  },
  connections: {
    doc: 'Open long polls and event streams',
    unit: 'count',
    scope: 'request',
    values: { basic: 20, boost: 100, elite: 250 },
  },
  running: {
    doc: 'Running tasks',
    unit: 'count',
    scope: 'queue',
    values: { basic: 2, boost: 8, elite: 25 },
  },
  waiting: {
    doc: 'Queued tasks',
    unit: 'count',
    scope: 'queue',
    values: { basic: 20, boost: 200, elite: 1000 },
  },
  source_bytes: {
    doc: 'Source size',
    unit: 'bytes',
    scope: 'container',
    values: { basic: 500 * MB, boost: 2000 * MB, elite: 5000 * MB },
  },
  source_seconds: {
    doc: 'Source duration',
    unit: 'seconds',
    scope: 'container',
    values: { basic: HOUR / 2, boost: 2 * HOUR, elite: 6 * HOUR },
  },
  /** Of one picture of a source. */
  source_pixels: {
    doc: 'Pixels per frame of a source',
    unit: 'pixels',
    scope: 'container',
    values: { basic: UHD_8K, boost: MAX_PIXELS, elite: MAX_PIXELS },
  },
  /** A small file can hold hours of huge pictures. */
  source_pixel_seconds: {
    doc: 'Pixels per frame × duration of a source',
    unit: 'pixel_seconds',
    scope: 'container',
    values: { basic: UHD_4K * (HOUR / 2), boost: UHD_4K * 2 * HOUR, elite: UHD_4K * 6 * HOUR },
  },
  /** Whatever their kind. */
  source_streams: {
    doc: 'Streams per source',
    unit: 'count',
    scope: 'container',
    values: { basic: 16, boost: 32, elite: MAX_STREAMS },
  },
  source_channels: {
    doc: 'Channels per audio track',
    unit: 'count',
    scope: 'container',
    values: { basic: 16, boost: 32, elite: 64 },
  },
  /** Of one attempt. */
  task_seconds: {
    doc: 'Processing time per task',
    unit: 'seconds',
    scope: 'container',
    values: { basic: 10 * 60, boost: 30 * 60, elite: 120 * 60 },
  },
  /** Of a rendered picture. */
  output_side_px: {
    doc: 'Longest side of the output',
    unit: 'px',
    scope: 'container',
    values: { basic: 1920, boost: 2560, elite: 4096 },
  },
  /** Of any file that a task writes, intermediate ones included. */
  output_bytes: {
    doc: 'Output file size',
    unit: 'bytes',
    scope: 'container',
    values: { basic: 4000 * MB, boost: 8000 * MB, elite: 10_000 * MB },
  },
  /** On the disk of its machine. */
  work_bytes: {
    doc: 'Disk space per task, including sources',
    unit: 'bytes',
    scope: 'container',
    values: { basic: 10_000 * MB, boost: 14_000 * MB, elite: 16_000 * MB },
  },
  /** Of all uploads of an account together, until their files are deleted. */
  upload_bytes: {
    doc: 'Storage for uploads',
    unit: 'bytes',
    scope: 'request',
    values: { basic: 5000 * MB, boost: 25_000 * MB, elite: 100_000 * MB },
  },
  merge_inputs: {
    doc: 'Clips per merge',
    unit: 'count',
    scope: 'request',
    values: { basic: 10, boost: 30, elite: 100 },
  },
  /** After the end of their task. */
  retention_seconds: {
    doc: 'Files kept for',
    unit: 'seconds',
    scope: 'retention',
    values: { basic: DAY, boost: 7 * DAY, elite: 30 * DAY },
  },
  /** After their end. */
  record_seconds: {
    doc: 'Task records kept for',
    unit: 'seconds',
    scope: 'retention',
    values: { basic: 90 * DAY, boost: 180 * DAY, elite: 365 * DAY },
  },
} as const satisfies Record<string, LimitEntry>;

export type LimitName = keyof typeof planLimits;

export const limitNames = Object.keys(planLimits) as [LimitName, ...LimitName[]];

/** The limits that go to the transcoder with each task. */
export type ContainerLimit = {
  [L in LimitName]: (typeof planLimits)[L]['scope'] extends 'container' ? L : never;
}[LimitName];

export const containerLimits = limitNames.filter(
  (name): name is ContainerLimit => planLimits[name].scope === 'container',
);

export type Plan = Readonly<Record<LimitName, number>> & {
  readonly title: string;
  readonly features: readonly Feature[];
};

const basicFeatures: readonly Feature[] = ['video', 'frames', 'visualizer', 'photo', 'redub', 'captions'];
const boostFeatures: readonly Feature[] = [...basicFeatures, 'redub_tts', 'redub_vc', 'separate'];

export const plans = {
  basic: { title: 'Basic', ...limitsOf('basic'), features: basicFeatures },
  boost: { title: 'Boost', ...limitsOf('boost'), features: boostFeatures },
  elite: { title: 'Elite', ...limitsOf('elite'), features: [...boostFeatures, 'priority'] },
} as const satisfies Record<PlanName, Plan>;

function limitsOf(plan: PlanName) {
  const values = limitNames.map((name) => [name, planLimits[name].values[plan]]);
  return Object.fromEntries(values) as Record<LimitName, number>;
}

/** A task record moves from D1 to the archive this long after the task ended, once its files are deleted. */
export const ARCHIVE_AFTER_SECONDS = 7 * DAY;

/** How long a container stays warm for an account that has no work for it, seconds. */
export const warmSeconds = { basic: 15, boost: 20, elite: 30 } as const satisfies Record<PlanName, number>;

export const planNames = Object.keys(plans) as [PlanName, ...PlanName[]];

/** What a plan costs a month. The dashboard shows these prices, and Stripe charges them from the next purchase on. */
export const prices = {
  /** Three letters, lower case. */
  currency: 'usd',
  /** In the smallest unit of the currency, such as cents. */
  monthly: { basic: 900, boost: 2900, elite: 9900 },
} as const satisfies { currency: string; monthly: Record<PlanName, number> };

/** What a caller may do as well where a limit of the plan is reached; nothing on the largest plan. */
export const orUpgrade = (name: PlanName): string =>
  name === planNames.at(-1) ? '' : ' or upgrade your plan';

export function planOf(name: PlanName): Plan {
  return plans[name];
}
