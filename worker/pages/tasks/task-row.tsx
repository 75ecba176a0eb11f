import { operations } from '../../../schema/operations/index.ts';
import type { Status, Task } from '../../../schema/task/task.ts';
import { Time } from '../elements.tsx';
import { durationText } from '../words.ts';

export const isLive = ({ status }: Pick<Task, 'status'>) => status === 'queued' || status === 'processing';

const statusTexts: Record<Status, string> = {
  queued: 'Queued',
  processing: 'Running',
  completed: 'Completed',
  failed: 'Failed',
};

export function StatusBadge({ status }: { status: Status }) {
  return (
    <span class={`badge ${status}`} data-status>
      {statusTexts[status]}
    </span>
  );
}

/** What a live task is doing, in one line. */
export function progressText({ status, stage, progress_percent, eta_seconds, queue_position }: Task): string {
  const eta =
    eta_seconds === null ? '' : `, about ${durationText(Math.max(1, Math.round(eta_seconds)))} left`;
  if (status === 'queued')
    return queue_position === null ? 'waiting' : `number ${queue_position} in the queue${eta}`;
  return `${stage}, ${Math.floor(progress_percent)} %${eta}`;
}

/** An entry of a list of tasks. */
export function TaskRow({ task, path }: { task: Task; path: string }) {
  const { id, operation, status, created_at, completed_at, started_at, error, metadata } = task;
  const took = completed_at && started_at ? (Date.parse(completed_at) - Date.parse(started_at)) / 1000 : null;
  return (
    <li>
      <span>
        <StatusBadge status={status} />{' '}
        <a href={`${path}/${id}`}>
          <strong>{operations[operation].title}</strong>
        </a>{' '}
        {isLive(task) ? progressText(task) : null}
        {took === null ? null : `took ${durationText(took)}`}
        {error ? <span class="hint block">{error.title}</span> : null}
        <Metadata values={metadata} />
      </span>
      <Time ms={Date.parse(created_at)} />
    </li>
  );
}

export function Metadata({ values }: { values: Task['metadata'] }) {
  const entries = Object.entries(values);
  if (entries.length === 0) return null;
  return (
    <span class="tags">
      {entries.map(([key, value]) => (
        <span>
          {key}: {value}
        </span>
      ))}
    </span>
  );
}
