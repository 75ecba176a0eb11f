import { z } from 'zod';
import { errorCodes } from '../api/errors.ts';
import { type ContainerLimit, containerLimits, type LimitUnit, planLimits, plans } from '../api/plans.ts';
import { operationNames } from '../operations/index.ts';
import { mediaFacts, stages, taskId, taskPlan, timeMap, warning } from './task.ts';

/**
 * Messages between Worker and transcoder. Each side understands its own version `v` and the previous one, because the Worker
 * and the image are not deployed at the same moment.
 */
export const WIRE_VERSION = 1;
const v = z.literal(WIRE_VERSION);

/** How long similar tasks of this account took. Absent if unknown, and in wire version N−1. */
const expected = z.object({
  /** Seconds, if the source duration is unknown. */
  typical_seconds: z.number().min(0),
  /** For a known source duration: fixed seconds plus seconds per source second. */
  fixed_seconds: z.number().min(0),
  per_source_second: z.number().min(0),
});
export type Expected = z.output<typeof expected>;

/** Queue message: start this attempt in this slot. */
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

/** Limits that every Worker sends. The others were added later: if wire version N−1 omits one, the largest plan's value applies. */
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

/** Worker → transcoder, `POST /tasks`: one attempt. Returns 202, or 503 with Retry-After when full. */
export const job = z.object({
  v,
  task_id: taskId,
  attempt: z.number().int().min(1),
  request_id: z.string(),
  operation: z.enum(operationNames),
  /**
   * The parsed request without the fields that have their default. The transcoder parses it again with the operation's schema, which
   * fills them in: an older image takes it unless it uses something new, and goes by its own defaults.
   */
  input: z.record(z.string(), z.unknown()),
  /** Object keys of `task:<id>` and `upload:<id>` sources, by that string. Absent in wire version N−1, which knows no uploads. */
  stored_sources: z
    .record(z.string(), z.string().regex(/^(?:t\/task_[0-9a-z]{26}\/\d+\/.|u\/upl_[0-9a-z]{26}\/file$)/))
    .default({}),
  /** Time maps of `task:<id>` sources, by that string. Absent in wire version N−1. */
  time_maps: z.record(z.string(), timeMap).default({}),
  limits: taskLimits,
  expected: expected.optional(),
  /** Prefix of every object key that this attempt writes. */
  output_prefix: z.string().regex(/^t\/task_[0-9a-z]{26}\/\d+\/$/),
  /** Sanitized base name of the files, without extension. */
  output_name: z.string().min(1).max(200),
  /** The caller's provider key, sealed with the shared secret. Absent in wire version N−1. */
  provider_key: z.string().max(1000).optional(),
  /** The caller's speech API as JSON, sealed with the shared secret. Absent in wire version N−1. */
  speech_api: z.string().max(6000).optional(),
  /** Whether the Worker runs models on Workers AI for this attempt, at `callback_url` + `AI_PATH`. Absent in wire version N−1. */
  workers_ai: z.boolean().optional(),
  callback_url: z.url(),
  /** Signs the reports of this attempt only. */
  callback_secret: z.string().min(32),
});
export type Job = z.output<typeof job>;

export const accepted = z.object({
  v,
  accepted: z.literal(true),
  /** Free slots of this machine; absent in wire version N−1. */
  free: z.number().int().min(0).optional(),
  /** All slots are taken and the task is queued on the machine; absent in wire version N−1. */
  lined: z.boolean().optional(),
});

/** Worker → transcoder, `POST /tasks/{task_id}/stop`: stop this attempt and any earlier one. Always returns 200. */
export const stopOrder = z.object({ v, attempt: z.number().int().min(1) });

/** A file that the transcoder has verified and stored. The first file of a result is the main file. */
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
 * During a multipart upload, its upload id is stored under the object key plus this suffix. Cleaning up a dead attempt finds the
 * unfinished upload by it.
 */
export const uploadNoteSuffix = '.upload';

export const result = z.object({
  files: z.array(storedFile).min(1).max(200),
  ...mediaFacts,
  data: z.record(z.string(), z.unknown()),
  time_map: timeMap,
  warnings: z.array(warning),
  /** Bytes downloaded from all sources; absent in wire version N−1. */
  bytes_read: z.number().int().min(0).optional(),
});
export type Result = z.output<typeof result>;

/** Resources used by an attempt. */
const metering = z.object({
  /** Total duration of the sources that were probed. */
  source_seconds: z.number().min(0),
  /** Wall-clock time of the attempt. */
  processing_seconds: z.number().min(0),
  /** Bytes downloaded from all sources. */
  bytes_read: z.number().int().min(0),
});
export type Metering = z.output<typeof metering>;

const failure = z.object({
  code: z.enum(errorCodes),
  detail: z.string().max(1000),
  stage: z.enum(stages),
  source_index: z.number().int().min(0).optional(),
  /** Overrides the default of the code. */
  retryable: z.boolean().optional(),
});
export type Failure = z.output<typeof failure>;

/**
 * Transcoder → Worker, `POST callback_url`, signed as in schema/api/signature.ts. The Worker returns 200 `{v, accepted: true}`, or
 * 409 `stale_attempt`, after which the attempt must stop.
 */
export const report = z.discriminatedUnion('type', [
  z.object({
    v,
    type: z.literal('progress'),
    stage: z.enum(stages),
    progress_percent: z.number().min(0).max(100),
    eta_seconds: z.number().min(0).nullable(),
  }),
  /** `metering` is absent in wire version N−1. */
  z.object({ v, type: z.literal('completed'), result, metering: metering.optional() }),
  /** A completed dry run. */
  z.object({ v, type: z.literal('planned'), plan: taskPlan, warnings: z.array(warning), metering }),
  z.object({ v, type: z.literal('failed'), failure, metering: metering.optional() }),
  /** The transcoder is shutting down (SIGTERM) and returns the task; the attempt does not count. */
  z.object({ v, type: z.literal('released') }),
]);
export type Report = z.output<typeof report>;

/** Below an attempt's `callback_url`: where the transcoder sends an `aiRequest`, signed as its reports are. */
export const AI_PATH = '/ai';
/** Base64 characters of sound: 28 s of 16 kHz WAVE are 1.2 million. */
const MAX_AI_AUDIO = 3_000_000;
/** Bytes of a request to run a model on Workers AI. */
export const MAX_AI_REQUEST = MAX_AI_AUDIO + 10_000;

/** Bytes of a report: a row of D1 has to hold what is recorded of it. */
export const MAX_REPORT_BYTES = 1024 * 1024;

/** Bytes of a job: the time map of another task, which came in a report, an input of 256 KiB, and what is known of its sources. */
export const MAX_JOB_BYTES = MAX_REPORT_BYTES + 512 * 1024;
/** Characters that Aura 2 speaks at a time. */
export const MAX_AI_TEXT = 2000;

/** Transcoder → Worker: run a model on Workers AI. */
export const aiRequest = z.discriminatedUnion('type', [
  z.object({
    v,
    type: z.literal('transcribe'),
    /** A WAVE file, base64. */
    audio: z.base64().min(1).max(MAX_AI_AUDIO),
    /** ISO 639-1; null to detect it. */
    language: z
      .string()
      .regex(/^[a-z]{2,3}$/)
      .nullable(),
  }),
  z.object({
    v,
    type: z.literal('speak'),
    text: z.string().min(1).max(MAX_AI_TEXT),
    language: z.enum(['en', 'es']),
    speaker: z.string().regex(/^[a-z]{1,40}$/),
  }),
]);
export type AiRequest = z.output<typeof aiRequest>;

/** Answer of the Worker. `spoken` has a WAVE file, base64. */
export const aiAnswer = z.discriminatedUnion('type', [
  z.object({ v, type: z.literal('heard'), answer: z.unknown() }),
  z.object({ v, type: z.literal('spoken'), audio: z.base64() }),
  z.object({ v, type: z.literal('refused'), reason: z.enum(['busy', 'quota', 'input', 'failed']) }),
]);
export type AiAnswer = z.output<typeof aiAnswer>;

/** Transcoder `GET /readyz`. */
export const transcoderReady = z.object({
  v,
  status: z.enum(['ready', 'draining']),
  version: z.string(),
  /** `ffmpeg` if libav cannot be loaded and the ffmpeg program is used for everything. */
  engine: z.enum(['node-av', 'ffmpeg']),
  ffmpeg_version: z.string(),
  /** Availability of the engines in schema/media/engines.ts. Absent in wire version N−1; a newer transcoder may list others. */
  engines: z
    .array(
      z.object({
        id: z.string(),
        available: z.boolean(),
        reason: z.string().nullable(),
        /** Seconds of sound per second of work, as measured; null before the first use. Absent in wire version N−1. */
        speed: z.number().nullable().optional(),
      }),
    )
    .optional(),
  sandbox: z.enum(['bwrap', 'unshare', 'none']),
  programs: z.record(z.string(), z.string().nullable()),
  slots: z.number().int(),
  busy: z.number().int(),
});
export type TranscoderReady = z.output<typeof transcoderReady>;

/** Interval at which a running attempt renews its lease. */
export const HEARTBEAT_SECONDS = 5;
/** An attempt without a report for this long is considered lost. */
export const LEASE_SECONDS = 30;
