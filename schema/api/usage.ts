import { z } from 'zod';
import { operationNames } from '../operations/index.ts';

const seconds = (description: string) => z.number().min(0).meta({ description });
const count = (description: string) => z.number().int().min(0).meta({ description });

/** The figures that add up. */
export const figures = {
  completed: count('Tasks that were completed.'),
  failed: count('Tasks that failed, whoever was at fault.'),
  source_seconds: seconds('Durations of all sources together.'),
  output_seconds: seconds('Durations of all main files together.'),
  processing_seconds: seconds('Wall time of the attempts that ended the tasks.'),
  bytes_read: count('Bytes received from sources.'),
  bytes_stored: count('Bytes of all files of the results.'),
};
export type Figures = z.output<z.ZodObject<typeof figures>>;

const date = z.iso.date();

export const usageQuery = z.strictObject({
  from: date.optional().meta({ description: 'First day, UTC; 29 days before `to` if left out.' }),
  to: date.optional().meta({ description: 'Last day, UTC, included; today if left out.' }),
});

export const usage = z
  .strictObject({
    object: z.literal('usage'),
    from: date,
    to: date,
    totals: z.strictObject(figures).meta({ description: 'All days and operations together.' }),
    days: z
      .array(
        z.strictObject({
          date,
          operations: z.array(z.strictObject({ operation: z.enum(operationNames), ...figures })),
        }),
      )
      .meta({ description: 'The days on which tasks ended, oldest first.' }),
  })
  .meta({ id: 'Usage' });
export type Usage = z.output<typeof usage>;
