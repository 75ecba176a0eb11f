import { z } from 'zod';
import { operationNames } from '../operations/index.ts';

const seconds = (description: string) => z.number().min(0).meta({ description });
const count = (description: string) => z.number().int().min(0).meta({ description });

/** Figures that can be summed over days and operations. */
export const figures = {
  completed: count('Number of completed tasks.'),
  failed: count('Number of failed tasks, whatever the cause.'),
  source_seconds: seconds('Total duration of all sources, in seconds.'),
  output_seconds: seconds('Total duration of all main output files, in seconds.'),
  processing_seconds: seconds('Wall-clock time of the final attempt of each task, in seconds.'),
  bytes_read: count('Bytes downloaded from sources.'),
  bytes_stored: count('Total size of all output files, in bytes.'),
};
export type Figures = z.output<z.ZodObject<typeof figures>>;

const date = z.iso.date();

export const usageQuery = z.strictObject({
  from: date.optional().meta({ description: 'First day (UTC). Defaults to 29 days before `to`.' }),
  to: date.optional().meta({ description: 'Last day (UTC), inclusive. Defaults to today.' }),
});

export const usage = z
  .strictObject({
    object: z.literal('usage'),
    from: date,
    to: date,
    totals: z.strictObject(figures).meta({ description: 'Sums over all days and operations.' }),
    days: z
      .array(
        z.strictObject({
          date,
          operations: z.array(z.strictObject({ operation: z.enum(operationNames), ...figures })),
        }),
      )
      .meta({ description: 'Days on which at least one task ended, oldest first.' }),
  })
  .meta({ id: 'Usage' });
export type Usage = z.output<typeof usage>;
