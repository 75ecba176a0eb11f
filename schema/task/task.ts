import { z } from 'zod';
import { errorCode } from '../api/problem.ts';
import { operationNames } from '../operations/index.ts';
import { idPattern, taskIdText } from './ids.ts';

export const liveStatuses = ['queued', 'processing'] as const;
export const statuses = [...liveStatuses, 'completed', 'failed'] as const;
export type Status = (typeof statuses)[number];

/** Whether a task has not ended. */
export const isLive = ({ status }: { status: Status }) => liveStatuses.some((live) => live === status);

export const stages = ['waiting', 'fetching', 'analyzing', 'rendering', 'uploading', 'done'] as const;
export type Stage = (typeof stages)[number];

export const taskId = z.string().regex(idPattern('task'), { error: taskIdText });

/** Long polling. The limit is below the 60 s after which proxies close an idle connection. */
export const waitSeconds = z
  .number()
  .min(0, { error: 'must be 0 to 55 seconds' })
  .max(55, { error: 'must be 0 to 55 seconds' })
  .optional()
  .meta({ description: 'Long polling: wait up to this many seconds for the status to change.' });

const time = z.iso.datetime().meta({ description: 'Time in ISO 8601, UTC.' });

export const warning = z.strictObject({
  code: z.enum([
    'source_vfr',
    'source_interlaced',
    'source_truncated',
    'source_joined',
    'source_edit_rate',
    'frames_not_counted',
    'range_clamped',
    'audio_missing',
    'video_missing',
    'hdr_tonemapped',
    'hdr_metadata_dropped',
    'alpha_dropped',
    'stream_dropped',
    'size_reduced',
    'segments_merged',
    'words_not_said',
    'detector_unavailable',
    'transition_shortened',
    'fades_shortened',
    'speech_overran',
    'language_assumed',
    'basic_engine',
    'low_confidence',
    'captions_dropped',
    'glyphs_missing',
    'font_lacks_letters',
    'font_variable',
    'metadata_dropped',
    'channels_mixed',
    'loudness_limited',
  ]),
  detail: z.string().meta({ description: 'What happened and what it means for the output.' }),
});
export type Warning = z.output<typeof warning>;

const taskError = z
  .strictObject({
    code: errorCode,
    title: z.string().meta({ description: 'The error code as a short sentence.' }),
    detail: z.string().meta({ description: 'What is wrong in this task, with the values concerned.' }),
    fault: z.enum(['caller', 'source', 'service']).meta({
      description:
        'What caused the error: the request (`caller`), the media or its host (`source`), or Spool (`service`).',
    }),
    retryable: z
      .boolean()
      .meta({ description: 'Whether the same request can succeed when it is sent again.' }),
    stage: z.enum(stages).meta({ description: 'Stage in which the task failed.' }),
    source_index: z
      .number()
      .int()
      .min(0)
      .optional()
      .meta({ description: 'Index of the source concerned, starting at 0.' }),
    pointer: z
      .string()
      .optional()
      .meta({ description: 'JSON pointer to that source in the request, such as `/urls/2`.' }),
    hint: z.string().meta({ description: 'How to fix it.' }),
  })
  .meta({ id: 'TaskError' });
export type TaskError = z.output<typeof taskError>;

const span = z.tuple([z.number(), z.number()]);

export const timeMap = z
  .array(z.strictObject({ source: z.number().int().min(0), in: span, out: span }))
  .meta({
    description:
      'Maps source time to output time: for each span that was kept, the index of its source (starting at 0), its seconds in the source (`in`) and its seconds in the output (`out`).',
  });
export type TimeMap = z.output<typeof timeMap>;

/** Properties of the main file; the same on the wire and in the task. */
export const mediaFacts = {
  duration: z
    .number()
    .nullable()
    .meta({ description: 'Duration in seconds; null for a picture or a document.' }),
  width: z.number().int().nullable().meta({ description: 'Width in pixels; null without video.' }),
  height: z.number().int().nullable().meta({ description: 'Height in pixels; null without video.' }),
  fps: z.number().nullable().meta({ description: 'Average frame rate in frames per second.' }),
};

const taskOutput = z
  .strictObject({
    file_url: z.url().meta({
      description: 'Signed download URL of the main file. Works without an API key until `expires_at`.',
    }),
    file_name: z.string().meta({ description: 'File name of the download.' }),
    file_size: z.number().int().min(0).meta({ description: 'Size in bytes.' }),
    media_type: z.string().meta({ description: 'Media type, such as `video/mp4`.' }),
    ...mediaFacts,
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({ description: 'SHA-256 of the main file, in hexadecimal.' }),
    files: z
      .array(
        z.strictObject({
          role: z.string().meta({ description: 'Role of the file. Download it with `?file=<role>`.' }),
          url: z.url(),
          media_type: z.string(),
          file_size: z.number().int().min(0),
        }),
      )
      .min(1)
      .meta({ description: 'All output files. The first is the main file.' }),
    data: z.record(z.string(), z.unknown()).meta({ description: 'Result fields of the operation.' }),
    time_map: timeMap,
  })
  .meta({ id: 'TaskOutput' });
export type TaskOutput = z.output<typeof taskOutput>;

/** Result of a dry run: the probed sources and the output that the request would produce. */
export const taskPlan = z
  .strictObject({
    sources: z
      .array(
        z.strictObject({
          container: z.string().meta({ description: 'Container format, such as `mp4`.' }),
          duration: z
            .number()
            .nullable()
            .meta({ description: 'Duration in seconds; null for a still picture.' }),
          file_size: z.number().int().min(0).meta({ description: 'Size in bytes.' }),
          video: z
            .strictObject({
              codec: z.string(),
              width: z.number().int(),
              height: z.number().int(),
              fps: z.number().nullable(),
            })
            .nullable()
            .meta({
              description:
                'Video track as players display it (rotated upright, square pixels); null without video.',
            }),
          audio: z
            .strictObject({ codec: z.string(), sample_rate: z.number().int(), channels: z.number().int() })
            .nullable()
            .meta({ description: 'Audio track that players play; null without audio.' }),
        }),
      )
      .meta({ description: 'The sources, in the order of the request.' }),
    files: z
      .array(z.strictObject({ role: z.string(), file_name: z.string(), media_type: z.string() }))
      .min(1)
      .meta({ description: 'Files that the task would produce. The first is the main file.' }),
    ...mediaFacts,
    data: z.record(z.string(), z.unknown()).meta({ description: 'Result fields of the operation.' }),
    time_map: timeMap,
  })
  .meta({ id: 'TaskPlan' });
export type TaskPlan = z.output<typeof taskPlan>;

export const task = z
  .strictObject({
    object: z.literal('task'),
    id: taskId.meta({ description: 'Id of the task.' }),
    task_id: taskId.meta({ description: 'The same as `id`.' }),
    operation: z.enum(operationNames).meta({ description: 'Name of the operation.' }),
    endpoint: z.string().meta({ description: 'Path of the operation, such as `/cut`.' }),
    status: z.enum(statuses).meta({ description: 'Status of the task. `completed` and `failed` are final.' }),
    stage: z.enum(stages).meta({ description: 'Current stage of processing.' }),
    progress_percent: z.number().min(0).max(100).meta({ description: 'Progress in percent.' }),
    eta_seconds: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: 'Estimated seconds until the task ends; null if unknown.' }),
    queue_position: z.number().int().min(1).nullable().meta({
      description:
        "Position in the account's queue, starting at 1; null when the task is running or has ended.",
    }),
    attempt: z
      .number()
      .int()
      .min(0)
      .meta({ description: 'Number of the current or last attempt; 0 before the first.' }),
    created_at: time,
    started_at: time
      .nullable()
      .meta({ description: 'Start time, ISO 8601 UTC; null while the task is queued.' }),
    completed_at: time
      .nullable()
      .meta({ description: 'End time, ISO 8601 UTC; null until the task has ended.' }),
    expires_at: time.nullable().meta({
      description:
        'When the files are deleted. The task record is kept for `record_seconds` of the plan after the task ends.',
    }),
    status_url: z.url().meta({ description: 'URL of the task; poll it for the status.' }),
    links: z.strictObject({ self: z.url(), download: z.url().nullable(), events: z.url() }).meta({
      description:
        '`self`: the task. `download`: the main file, once completed. `events`: changes of the task as Server-Sent Events. All of them need the API key.',
    }),
    input: z.record(z.string(), z.unknown()).meta({
      description:
        'The accepted request with its defaults filled in. Query strings of URLs are redacted. Once completed, `bytes_read` is the number of bytes downloaded from the sources.',
    }),
    output: taskOutput
      .nullable()
      .meta({ description: 'The result; null unless completed, and null for a dry run.' }),
    plan: taskPlan.nullable().meta({
      description:
        'Result of a dry run: what the task would produce. Null unless the task is a completed dry run.',
    }),
    warnings: z
      .array(warning)
      .meta({ description: 'Deviations from the request and other notes about the output.' }),
    error: taskError.nullable().meta({ description: 'Why the task failed; null unless failed.' }),
    metadata: z.record(z.string(), z.string()).meta({ description: 'The `metadata` of the request.' }),
  })
  .meta({ id: 'Task' });
export type Task = z.output<typeof task>;

export const deletedTask = z
  .strictObject({ object: z.literal('task'), id: taskId, deleted: z.literal(true) })
  .meta({ id: 'DeletedTask' });
