import { shownOperation } from '../../../schema/operations/shown.ts';
import { isLive, type Task } from '../../../schema/task/task.ts';
import { failedField } from '../../services/tasks/failed-field.ts';
import { taskView } from '../../services/tasks/task-view.ts';
import { playgroundPath } from '../playground/paths.ts';
import type { MemberVisit } from '../visit.ts';
import { ownTask, tasksPath } from './own-task.ts';
import { Failure } from './task-failure.tsx';
import { TaskInput } from './task-input.tsx';
import { ResultOf } from './task-result.tsx';
import { Metadata, progressText, StatusBadge } from './task-row.tsx';
import { Timeline } from './task-timeline.tsx';
import { Warnings } from './task-warnings.tsx';

export async function showTask(visit: MemberVisit): Promise<Response> {
  const row = await ownTask(visit);
  const task = await taskView(visit.core.config, row);
  const path = tasksPath(visit);
  const live = isLive(task);
  const body = (
    <>
      <p class="hint">
        <a href={path}>Tasks</a>
      </p>
      <h1>{shownOperation(task.operation).title}</h1>
      <p data-events={live ? `${path}/${task.id}/events` : undefined}>
        <StatusBadge task={task} /> <code>{task.id}</code>
      </p>
      <Metadata values={task.metadata} />
      {live ? (
        <section aria-label="Progress">
          <progress max={100} value={task.progress_percent} aria-label="Progress in percent" data-progress />
          <p role="status" data-doing>
            {progressText(task)}
          </p>
          <p class="hint">
            The result appears here when the task has ended. <a href={`${path}/${task.id}`}>Reload</a>
          </p>
        </section>
      ) : null}
      {task.error ? (
        <Failure error={task.error} field={failedField(row)} again={againPath(visit, task)} />
      ) : null}
      <Warnings warnings={task.warnings} />
      {await ResultOf(visit.core, row, task)}
      <Timeline task={task} times={row.stageTimes ?? {}} />
      <TaskInput task={task} publicUrl={visit.core.config.PUBLIC_URL} />
      <p class="actions">
        <a class="button" href={againPath(visit, task)}>
          Edit and run again
        </a>
        <a href={`${path}/${task.id}/delete`}>Delete…</a>
      </p>
    </>
  );
  return visit.page(shownOperation(task.operation).title, body, { scripts: live ? ['task'] : ['waveform'] });
}

/** The form of the operation, filled with the request of a task. */
const againPath = (visit: MemberVisit, { operation, id }: Task) =>
  `${playgroundPath(visit, operation)}?task=${id}`;
