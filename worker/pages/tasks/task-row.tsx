import { shownOperation } from '../../../schema/operations/shown.ts';
import { isLive, type Status, type Task } from '../../../schema/task/task.ts';
import { Time } from '../elements.tsx';
import { durationText } from '../words.ts';

const statusTexts: Record<Status, string> = {
  queued: 'Queued',
  processing: 'Running',
  completed: 'Completed',
  failed: 'Failed',
};

/** What a task does, or how it ended: `Queued: number 2`, `Running: rendering`, `Completed`. */
function stateText({ status, stage, queue_position }: Task): string {
  if (status === 'processing') return `${statusTexts.processing}: ${stage}`;
  if (status === 'queued' && queue_position !== null)
    return `${statusTexts.queued}: number ${queue_position}`;
  return statusTexts[status];
}

export function StatusBadge({ task }: { task: Task }) {
  return (
    <span class={`badge ${task.status}`} data-status>
      {stateText(task)}
    </span>
  );
}

/** How far a live task is. */
export function progressText({ status, progress_percent, eta_seconds }: Task): string {
  return [
    status === 'queued' ? null : `${Math.floor(progress_percent)} %`,
    eta_seconds === null ? null : `about ${durationText(Math.max(1, Math.round(eta_seconds)))} left`,
  ]
    .filter((part) => part !== null)
    .join(', ');
}

/** An entry of a list of tasks. */
export function TaskRow({ task, path }: { task: Task; path: string }) {
  const { id, operation, created_at, completed_at, started_at, error, metadata } = task;
  const took = completed_at && started_at ? (Date.parse(completed_at) - Date.parse(started_at)) / 1000 : null;
  return (
    <li>
      <span>
        <StatusBadge task={task} />{' '}
        <a href={`${path}/${id}`}>
          <strong>{shownOperation(operation).title}</strong>
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
