import { z } from 'zod';
import { errorCodes } from '../api/errors.ts';
import { type ContainerLimit, containerLimits, type LimitUnit, planLimits, plans } from '../api/plans.ts';
import { operationNames } from '../operations/index.ts';
import { mediaFacts, stages, taskId, taskPlan, timeMap, warning } from './task.ts';

/**
 * The messages between Worker and transcoder. Each carries `v`; a side understands its own version and the one before,
 * because a deploy of the Worker and a roll-out of the image are two moments.
 */
export const WIRE_VERSION = 1;
const v = z.literal(WIRE_VERSION);

/** How long such work has taken the account before; a message of before, and one where nothing is known, has none. */
const expected = z.object({
  /** Seconds, whatever the source. */
  typical_seconds: z.number().min(0),
  /** The same for a source of known length: these seconds, and as many for each second of source. */
  fixed_seconds: z.number().min(0),
  per_source_second: z.number().min(0),
});
export type Expected = z.output<typeof expected>;

/** Queue message: this task has been given this slot; start the attempt. */
export const dispatchMessage = z.object({
  v,
  task_id: taskId,
  account_id: z.string(),
  attempt: z.number().int().min(1),
  slot: z.number().int().min(0),
  expected: expected.optional(),
  request_id: z.string(),
});
export type DispatchMessage = z.output<typeof dispatchMessage>;

/** Limits that every Worker sends. The others came later; absent in wire version N−1, they are those of the largest plan. */
const firstLimits = [
  'source_bytes',
  'source_seconds',
  'task_seconds',
  'output_side_px',
] as const satisfies readonly ContainerLimit[];
type FirstLimit = (typeof firstLimits)[number];

const wholeUnits: readonly LimitUnit[] = ['count', 'bytes', 'px'];

function wireLimit(name: ContainerLimit) {
  const value = wholeUnits.includes(planLimits[name].unit) ? z.number().int() : z.number();
  const first: readonly ContainerLimit[] = firstLimits;
  return first.includes(name) ? value.positive() : value.positive().default(plans.elite[name]);
}

/** What the plan of an account allows one task: the limits of schema/api/plans.ts with scope `container`. */
export const taskLimits = z.object(
  Object.fromEntries(containerLimits.map((name) => [name, wireLimit(name)])) as {
    [L in ContainerLimit]: L extends FirstLimit ? z.ZodNumber : z.ZodDefault<z.ZodNumber>;
  },
);

/** Worker → transcoder, `POST /tasks`: one attempt at one task. Answers 202, or 503 with Retry-After when full. */
export const job = z.object({
  v,
  task_id: taskId,
  attempt: z.number().int().min(1),
  request_id: z.string(),
  operation: z.enum(operationNames),
  /** The parsed request; parsed again by the transcoder with the schema of the operation. */
  input: z.record(z.string(), z.unknown()),
  /** The object keys of sources that are outputs of other tasks, by their `task:<id>` in the input. A Worker of before sends none. */
  stored_sources: z.record(z.string(), z.string().regex(/^t\/task_[0-9a-z]{26}\/\d+\/./)).default({}),
  /** Which seconds of their sources became which of their outputs, of tasks by their `task:<id>`. A Worker of before sends none. */
  time_maps: z.record(z.string(), timeMap).default({}),
  limits: taskLimits,
  expected: expected.optional(),
  /** Every object of this attempt lies under this prefix and nowhere else. */
  output_prefix: z.string().regex(/^t\/task_[0-9a-z]{26}\/\d+\/$/),
  /** Base of the file names, already made safe, without extension. */
  output_name: z.string().min(1).max(200),
  /** The caller's key of a provider, sealed with the secret that both sides share; a Worker of before sends none. */
  provider_key: z.string().max(1000).optional(),
  callback_url: z.url(),
  /** Signs the reports of this attempt and of no other. */
  callback_secret: z.string().min(32),
});
export type Job = z.output<typeof job>;

export const accepted = z.object({
  v,
  accepted: z.literal(true),
  /** How many more tasks this machine could start now; absent in wire version N−1. */
  free: z.number().int().min(0).optional(),
  /** Every slot is taken, so the task waits in the machine's own line; absent in wire version N−1. */
  lined: z.boolean().optional(),
});

/** Worker → transcoder, `POST /tasks/{task_id}/stop`: end this attempt and any earlier one. Always answers 200. */
export const stopOrder = z.object({ v, attempt: z.number().int().min(1) });

/** A file that the transcoder has stored and verified. The first of a result is the main one. */
export const storedFile = z.object({
  role: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/),
  /** Object key, under the job's `output_prefix`. */
  key: z.string(),
  file_name: z.string(),
  media_type: z.string(),
  file_size: z.number().int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type StoredFile = z.output<typeof storedFile>;

/**
 * While a file is uploaded in parts, the id of that upload is stored under its key with this behind it: whoever deletes the
 * objects of a dead attempt finds its unfinished upload by that.
 */
export const uploadNoteSuffix = '.upload';

export const result = z.object({
  files: z.array(storedFile).min(1).max(200),
  ...mediaFacts,
  data: z.record(z.string(), z.unknown()),
  time_map: timeMap,
  warnings: z.array(warning),
  /** Bytes received from all sources; a transcoder of before does not say it. */
  bytes_read: z.number().int().min(0).optional(),
});
export type Result = z.output<typeof result>;

/** What an attempt has cost up to its end. */
const metering = z.object({
  /** Durations of all sources together, as far as they were probed. */
  source_seconds: z.number().min(0),
  /** Wall time of the attempt. */
  processing_seconds: z.number().min(0),
  /** Bytes received from all sources. */
  bytes_read: z.number().int().min(0),
});
export type Metering = z.output<typeof metering>;

const failure = z.object({
  code: z.enum(errorCodes),
  detail: z.string().max(1000),
  stage: z.enum(stages),
  source_index: z.number().int().min(0).optional(),
  /** Where it differs from what the code says. */
  retryable: z.boolean().optional(),
});
export type Failure = z.output<typeof failure>;

/**
 * Transcoder → Worker, `POST callback_url`, signed as in schema/api/signature.ts. Answered 200 `{v, accepted: true}`; a stale attempt
 * gets a 409 problem `stale_attempt` and must stop.
 */
export const report = z.discriminatedUnion('type', [
  z.object({
    v,
    type: z.literal('progress'),
    stage: z.enum(stages),
    progress_percent: z.number().min(0).max(100),
    eta_seconds: z.number().min(0).nullable(),
  }),
  /** A transcoder of before sends no `metering`. */
  z.object({ v, type: z.literal('completed'), result, metering: metering.optional() }),
  /** The end of a dry run. */
  z.object({ v, type: z.literal('planned'), plan: taskPlan, warnings: z.array(warning), metering }),
  z.object({ v, type: z.literal('failed'), failure, metering: metering.optional() }),
  /** The transcoder is going away (SIGTERM) and hands the task back; the attempt does not count. */
  z.object({ v, type: z.literal('released') }),
]);
export type Report = z.output<typeof report>;

/** Transcoder `GET /readyz`. */
export const transcoderReady = z.object({
  v,
  status: z.enum(['ready', 'draining']),
  version: z.string(),
  /** `ffmpeg` where libav cannot be loaded and the program does everything. */
  engine: z.enum(['node-av', 'ffmpeg']),
  ffmpeg_version: z.string(),
  /** The engines of schema/media/engines.ts as they are there; a transcoder of before does not say it, a newer one may know others. */
  engines: z
    .array(z.object({ id: z.string(), available: z.boolean(), reason: z.string().nullable() }))
    .optional(),
  sandbox: z.enum(['bwrap', 'unshare', 'none']),
  programs: z.record(z.string(), z.string().nullable()),
  slots: z.number().int(),
  busy: z.number().int(),
});
export type TranscoderReady = z.output<typeof transcoderReady>;

/** Renew a lease this often while an attempt runs. */
export const HEARTBEAT_SECONDS = 5;
/** An attempt that has not been heard of for this long is lost. */
export const LEASE_SECONDS = 30;
