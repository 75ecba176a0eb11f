import { z } from 'zod';
import { errorCode } from '../api/problem.ts';
import { operationNames } from '../operations/index.ts';
import { idPattern } from './ids.ts';

export const statuses = ['queued', 'processing', 'completed', 'failed'] as const;
export type Status = (typeof statuses)[number];

export const stages = ['waiting', 'fetching', 'analyzing', 'rendering', 'uploading', 'done'] as const;
export type Stage = (typeof stages)[number];

export const taskId = z.string().regex(idPattern('task'));

/** How long a read of a task may be held. A proxy on the way gives up on a connection that is silent for a minute. */
export const waitSeconds = z
  .number()
  .min(0, { error: 'Expected 0 to 55 seconds' })
  .max(55, { error: 'Expected 0 to 55 seconds' })
  .optional()
  .meta({ description: 'Seconds to wait for another status before answering.' });

const time = z.iso.datetime().meta({ description: 'ISO 8601, UTC.' });

export const warning = z.strictObject({
  code: z.enum([
    'source_vfr',
    'source_interlaced',
    'range_clamped',
    'audio_missing',
    'hdr_tonemapped',
    'hdr_metadata_dropped',
    'alpha_dropped',
    'stream_dropped',
    'size_reduced',
    'segments_merged',
    'transition_shortened',
    'fades_shortened',
    'speech_overran',
    'language_assumed',
    'low_confidence',
    'captions_dropped',
  ]),
  detail: z.string(),
});
export type Warning = z.output<typeof warning>;

const taskError = z
  .strictObject({
    code: errorCode,
    title: z.string().meta({ description: 'The code in words.' }),
    detail: z.string().meta({ description: 'What happened in this task.' }),
    fault: z
      .enum(['caller', 'source', 'service'])
      .meta({ description: 'Whose fault it is: the request, the media or this service.' }),
    retryable: z.boolean().meta({ description: 'Whether the same request, sent again, can succeed.' }),
    stage: z.enum(stages).meta({ description: 'What the task was doing.' }),
    source_index: z.number().int().min(0).optional().meta({ description: 'Which source, counted from 0.' }),
    hint: z.string().meta({ description: 'What to do about it.' }),
  })
  .meta({ id: 'TaskError' });
export type TaskError = z.output<typeof taskError>;

const span = z.tuple([z.number(), z.number()]);

export const timeMap = z
  .array(z.strictObject({ source: z.number().int().min(0), in: span, out: span }))
  .meta({
    description:
      'For each kept span, which seconds of which source (counted from 0) became which seconds of the output.',
  });
export type TimeMap = z.output<typeof timeMap>;

/** The facts of the main file of a result, the same on the wire from the transcoder and in the task. */
export const mediaFacts = {
  duration: z.number().nullable().meta({ description: 'Seconds; null for a picture or a document.' }),
  width: z.number().int().nullable().meta({ description: 'Pixels; null without a picture.' }),
  height: z.number().int().nullable().meta({ description: 'Pixels; null without a picture.' }),
  fps: z.number().nullable().meta({ description: 'Average frames a second.' }),
};

const taskOutput = z
  .strictObject({
    file_url: z
      .url()
      .meta({ description: 'Signed link to the main file, good until expires_at, no key needed.' }),
    file_name: z.string().meta({ description: 'Name that the download has.' }),
    file_size: z.number().int().min(0).meta({ description: 'Bytes.' }),
    media_type: z.string().meta({ description: 'Such as `video/mp4`.' }),
    ...mediaFacts,
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({ description: 'Of the main file, in hexadecimal.' }),
    files: z
      .array(
        z.strictObject({
          role: z.string().meta({ description: 'What to ask the download for, as `?file=`.' }),
          url: z.url(),
          media_type: z.string(),
          file_size: z.number().int().min(0),
        }),
      )
      .min(1)
      .meta({ description: 'Every file of the result; the first is the main one.' }),
    data: z.record(z.string(), z.unknown()).meta({ description: "The operation's own result." }),
    time_map: timeMap,
  })
  .meta({ id: 'TaskOutput' });
export type TaskOutput = z.output<typeof taskOutput>;

/** What a dry run found: what is at the sources, and what the same request without `dry_run` makes of it. */
export const taskPlan = z
  .strictObject({
    sources: z
      .array(
        z.strictObject({
          container: z.string().meta({ description: 'Such as `mp4`.' }),
          duration: z.number().nullable().meta({ description: 'Seconds; null for a still picture.' }),
          file_size: z.number().int().min(0).meta({ description: 'Bytes.' }),
          video: z
            .strictObject({
              codec: z.string(),
              width: z.number().int(),
              height: z.number().int(),
              fps: z.number().nullable(),
            })
            .nullable()
            .meta({ description: 'As players show it; null without a picture.' }),
          audio: z
            .strictObject({ codec: z.string(), sample_rate: z.number().int(), channels: z.number().int() })
            .nullable()
            .meta({ description: 'As players play it; null without sound.' }),
        }),
      )
      .meta({ description: 'In the order of the request.' }),
    files: z
      .array(z.strictObject({ role: z.string(), file_name: z.string(), media_type: z.string() }))
      .min(1)
      .meta({ description: 'What would be made; the first is the main file.' }),
    ...mediaFacts,
    data: z.record(z.string(), z.unknown()).meta({ description: "The operation's own result." }),
    time_map: timeMap,
  })
  .meta({ id: 'TaskPlan' });
export type TaskPlan = z.output<typeof taskPlan>;

export const task = z
  .strictObject({
    object: z.literal('task'),
    id: taskId.meta({ description: 'The id of the task.' }),
    task_id: taskId.meta({ description: 'The same as id.' }),
    operation: z.enum(operationNames).meta({ description: 'What it does.' }),
    endpoint: z.string().meta({ description: 'The path that started it.' }),
    status: z.enum(statuses).meta({ description: '`completed` and `failed` are final.' }),
    stage: z.enum(stages).meta({ description: 'What it is doing.' }),
    progress_percent: z.number().min(0).max(100).meta({ description: 'How much of the work is done.' }),
    eta_seconds: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: 'Seconds until it is done, as far as known.' }),
    queue_position: z.number().int().min(1).nullable().meta({
      description: "Place in the account's waiting line, 1 is next; null when it runs or has ended.",
    }),
    attempt: z
      .number()
      .int()
      .min(0)
      .meta({ description: 'Which attempt runs or ran last; 0 before the first.' }),
    created_at: time,
    started_at: time.nullable().meta({ description: 'ISO 8601, UTC; null while it waits.' }),
    completed_at: time.nullable().meta({ description: 'ISO 8601, UTC; null until it has ended.' }),
    expires_at: time.nullable().meta({
      description:
        'When the files are deleted; the task itself is kept for the `record_seconds` of the plan after its end.',
    }),
    status_url: z.url().meta({ description: 'Where to poll.' }),
    links: z.strictObject({ self: z.url(), download: z.url().nullable(), events: z.url() }).meta({
      description: 'The task, once completed its main file, and its changes as they happen (with the key).',
    }),
    input: z.record(z.string(), z.unknown()).meta({
      description:
        'The accepted request with defaults filled in; query strings of URLs redacted. Once completed, `bytes_read` says how many bytes were received from its sources.',
    }),
    output: taskOutput
      .nullable()
      .meta({ description: 'The result; null unless completed, and for a dry run.' }),
    plan: taskPlan
      .nullable()
      .meta({ description: 'What would be made; null unless it is a dry run that is completed.' }),
    warnings: z.array(warning).meta({ description: 'What is worth knowing about the result.' }),
    error: taskError.nullable().meta({ description: 'Why it failed; null unless failed.' }),
    metadata: z.record(z.string(), z.string()).meta({ description: 'As given in the request.' }),
  })
  .meta({ id: 'Task' });
export type Task = z.output<typeof task>;

export const deletedTask = z
  .strictObject({ object: z.literal('task'), id: taskId, deleted: z.literal(true) })
  .meta({ id: 'DeletedTask' });
