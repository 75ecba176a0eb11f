import type { StageTimes } from '../../../drizzle/tables.ts';
import type { OperationName } from '../../../schema/operations/index.ts';
import { newId } from '../../../schema/task/ids.ts';
import type { Stage, Status, Task, TaskPlan, Warning } from '../../../schema/task/task.ts';
import type { Result } from '../../../schema/task/wire.ts';
import type { Service } from '../../harness.ts';
import { rows } from './rows.ts';

export interface TaskLook {
  operation: OperationName;
  status: Status;
  stage: Stage;
  input: Record<string, unknown>;
  metadata: Record<string, string>;
  createdAt: number;
  progressPercent: number;
  attempt: number;
  result: Result | null;
  plan: { plan: TaskPlan; warnings: Warning[] } | null;
  error: Task['error'];
  stageTimes: StageTimes | null;
}

const input = { video_url: 'https://media.example.com/talk.mp4', start: 1, duration: 5 };
let seq = 0;

/** Writes a task as it would be after its run, or in the middle of one. @returns its id */
export async function writeTask(
  service: Service,
  accountId: string,
  look: Partial<TaskLook>,
): Promise<string> {
  const createdAt = look.createdAt ?? Date.now();
  const { operation = 'cut', status = 'completed', metadata = {}, result = null } = look;
  const { plan = null, error = null, attempt = 1, stage = 'done', progressPercent = 100 } = look;
  const { stageTimes = null } = look;
  const id = newId('task', createdAt);
  const over = status === 'completed' || status === 'failed';
  const values = {
    ...{ id, account_id: accountId, seq: ++seq, request_id: 'req_1', operation, status, stage, attempt },
    ...{ progress_percent: progressPercent, created_at: createdAt, started_at: createdAt + 1000 },
    input: JSON.stringify(look.input ?? input),
    metadata: JSON.stringify(metadata),
    result: result && JSON.stringify(result),
    plan: plan && JSON.stringify(plan),
    error: error && JSON.stringify(error),
    stage_times: stageTimes && JSON.stringify(stageTimes),
    completed_at: over ? createdAt + 4000 : null,
    expires_at: result ? createdAt + 3600_000 : null,
  };
  const names = Object.keys(values);
  const sql = `insert into tasks (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`;
  await rows(service, sql, ...Object.values(values));
  return id;
}
