import { shownOperation } from '../../../schema/operations/shown.ts';
import { isLive } from '../../../schema/task/task.ts';
import type { TaskView } from '../../repos/task-row.ts';
import { failedField } from '../../services/tasks/failed-field.ts';
import { taskView } from '../../services/tasks/task-view.ts';
import { ownTask, tasksPath } from '../tasks/own-task.ts';
import { Failure } from '../tasks/task-failure.tsx';
import { ResultOf } from '../tasks/task-result.tsx';
import { progressText, StatusBadge } from '../tasks/task-row.tsx';
import { Warnings } from '../tasks/task-warnings.tsx';
import type { MemberVisit } from '../visit.ts';
import { playgroundPath } from './paths.ts';

/** What the form shows of a task, alone. */
export async function showRun(visit: MemberVisit): Promise<Response> {
  const row = await ownTask(visit);
  const { title } = shownOperation(row.operation);
  const body = (
    <>
      <h1>{title}</h1>
      {await runOf(visit, row)}
    </>
  );
  return visit.page(title, body);
}

/** How a task goes, and what came of it. The script asks for it again at `data-next` until the task has ended. */
export async function runOf(visit: MemberVisit, row: TaskView | null) {
  if (!row) return <section id="run" hidden />;
  const task = await taskView(visit.core.config, row);
  const live = isLive(task);
  const next = `${playgroundPath(visit, task.operation)}/runs/${task.id}`;
  return (
    <section id="run" class="run" aria-labelledby="run-title" data-next={live ? next : undefined}>
      <h2 id="run-title" tabindex={-1}>
        {task.input.dry_run === true ? 'Dry run' : 'Run'}
      </h2>
      <p>
        <span id="run-status">
          <StatusBadge task={task} />
        </span>{' '}
        <a href={`${tasksPath(visit)}/${task.id}`}>Open the task</a>
      </p>
      {live ? (
        <>
          <progress max={100} value={task.progress_percent} aria-label="Progress in percent" />
          <p>{progressText(task)}</p>
        </>
      ) : null}
      {task.error ? <Failure error={task.error} field={failedField(row)} /> : null}
      <Warnings warnings={task.warnings} />
      {await ResultOf(visit.core, row, task)}
    </section>
  );
}
