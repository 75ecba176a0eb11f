import { MAX_REPORT_BYTES } from '../../schema/task/wire.ts';
import type { Plan } from './plan.ts';
import { TaskFailure } from './task-failure.ts';

/** For each file of a result, and for warnings of its sources and what steps find out. */
const REST_BYTES = { file: 1024, others: 64 * 1024 };

/** Refuses a plan before rendering if its result could not be recorded. Throws `output_too_large`. */
export function admitReport({ data, time_map, warnings, files }: Plan): void {
  const bytes = Buffer.byteLength(JSON.stringify({ data, time_map, warnings }));
  if (bytes <= MAX_REPORT_BYTES - REST_BYTES.others - files.length * REST_BYTES.file) return;
  throw new TaskFailure(
    'output_too_large',
    `The result would consist of ${time_map.length} pieces of its sources, and the list of them is larger than a task can have. Make fewer cuts, or process one part of the source per task.`,
  );
}
