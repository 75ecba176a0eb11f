import { z } from 'zod';

/** The parts of the service that `/status` shows, in this order. `probe` completes "Every five minutes, the service …". */
export const statusParts = {
  database: { title: 'Database', probe: 'writes a row and reads it back' },
  storage: { title: 'Object storage', probe: 'writes, reads and deletes a small object' },
  queue: { title: 'Queue', probe: 'sends a message to itself and waits until it arrives' },
  transcoder: { title: 'Transcoder', probe: 'asks the machines that process media whether they are ready' },
  task: {
    title: 'Tasks',
    probe: 'runs an ordinary task that cuts half a second from a one-second audio file',
  },
} as const satisfies Record<string, { title: string; probe: string }>;

export type StatusPart = keyof typeof statusParts;
export const statusPartNames = Object.keys(statusParts) as [StatusPart, ...StatusPart[]];

/** How long the history reaches back. */
export const STATUS_DAYS = 90;
/** Interval of the cron trigger in wrangler.toml. */
export const PROBE_MINUTES = 5;

const state = z.enum(['up', 'down', 'unknown']);
export type PartState = z.output<typeof state>;

const time = z.iso.datetime();

const statusDay = z
  .strictObject({
    day: z.iso.date().meta({ description: 'UTC day.' }),
    probes: z.number().int().meta({ description: 'Number of probes; 0 if none ran on this day.' }),
    failed: z.number().int().meta({ description: 'How many of them failed.' }),
  })
  .meta({ id: 'StatusDay' });
export type StatusDay = z.output<typeof statusDay>;

const partStatus = z
  .strictObject({
    name: z.enum(statusPartNames),
    title: z.string(),
    state: state.meta({
      description:
        'Now: `database`, `storage` and `transcoder` are asked when the page is opened, at most every few seconds; the others show their last probe. `unknown` if there is no recent answer.',
    }),
    checked_at: time.nullable().meta({ description: 'When this was found; null if it never was.' }),
    uptime_percent: z.number().nullable().meta({
      description: 'Share of successful probes of the last 90 days, rounded down; null without probes.',
    }),
    days: z
      .array(statusDay)
      .nullable()
      .meta({ description: 'The last 90 days, oldest first; null if the history cannot be read.' }),
  })
  .meta({ id: 'PartStatus' });
export type PartStatus = z.output<typeof partStatus>;

const overheadDay = z
  .strictObject({ day: z.iso.date(), p50_ms: z.number().int(), p95_ms: z.number().int() })
  .meta({ id: 'OverheadDay' });
export type OverheadDay = z.output<typeof overheadDay>;

const incident = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    part: z.enum(statusPartNames).nullable().meta({ description: 'The part it is about; null for all.' }),
    opened_at: time,
    closed_at: time.nullable().meta({ description: 'Null while it is open.' }),
    updates: z.array(z.strictObject({ at: time, text: z.string() })).meta({ description: 'Oldest first.' }),
  })
  .meta({ id: 'Incident' });
export type Incident = z.output<typeof incident>;

export const statusReport = z
  .strictObject({
    state: state.meta({
      description: '`down` if a part is down, `unknown` if the state of one is not known.',
    }),
    version: z.string(),
    checked_at: time,
    parts: z.array(partStatus),
    task_minutes: z
      .number()
      .int()
      .meta({ description: 'Minutes between two probe tasks; 0 if this service runs none.' }),
    overhead: z.array(overheadDay).nullable().meta({
      description:
        'Time from creation to completion of the probe tasks of a day, minus the time that a machine worked on them. Days without one are missing; null if the history cannot be read.',
    }),
    incidents: z
      .array(incident)
      .nullable()
      .meta({ description: 'Incidents of the last 90 days, newest first; null if they cannot be read.' }),
  })
  .meta({ id: 'Status' });
export type StatusReport = z.output<typeof statusReport>;

/** A message that the service sends to itself through the queue of tasks, to find out whether it arrives. */
export const queueEcho = z.object({ type: z.literal('status_echo'), slot: z.string(), sent_at: z.number() });
export type QueueEcho = z.output<typeof queueEcho>;

/** Probes that wait in the object storage until the database takes them. */
export const unsavedProbes = z.array(
  z.object({
    at: z.number(),
    part: z.enum(statusPartNames),
    ok: z.boolean(),
    overheadMs: z.number().nullable(),
  }),
);
