import { shownOperation } from '../../../schema/operations/shown.ts';
import { isLive, type Task } from '../../../schema/task/task.ts';
import { FilePreview, ownAddress } from '../tasks/file-preview.tsx';
import { tasksPath } from '../tasks/own-task.ts';
import { progressText, StatusBadge, TaskRow } from '../tasks/task-row.tsx';
import type { MemberVisit } from '../visit.ts';

export const homePath = ({ membership }: Pick<MemberVisit, 'membership'>) =>
  `/app/${membership.account.id}/home`;

interface Shown {
  visit: MemberVisit;
  /** Running and queued tasks. */
  live: readonly Task[];
  /** Null if the account has none. */
  newest: Task | null;
}

/** What runs, and what the newest task made. While there is something to wait for, the script replaces it by itself. */
export function Now({ visit, live, newest }: Shown) {
  const path = tasksPath(visit);
  const waits = newest === null || live.length > 0;
  return (
    <section id="now" aria-labelledby="now-title" data-refresh={waits ? homePath(visit) : undefined}>
      <h2 id="now-title">Now</h2>
      {newest === null ? (
        <p role="status">
          Waiting for your first task. <a href={homePath(visit)}>Look again</a>
        </p>
      ) : null}
      {newest && live.length === 0 ? <p>Nothing is running.</p> : null}
      <ul class="rows">
        {live.map((task) => (
          <li>
            <span>
              <StatusBadge task={task} />{' '}
              <a href={`${path}/${task.id}`}>
                <strong>{shownOperation(task.operation).title}</strong>
              </a>{' '}
              {progressText(task)}
              <progress max={100} value={task.progress_percent} aria-label="Progress in percent" />
            </span>
          </li>
        ))}
      </ul>
      {newest && !isLive(newest) ? <Newest task={newest} path={path} /> : null}
    </section>
  );
}

function Newest({ task, path }: { task: Task; path: string }) {
  const { output } = task;
  const isThere = task.expires_at !== null && Date.parse(task.expires_at) > Date.now();
  const isSeen = output && /^(?:video|audio|image)\//.test(output.media_type);
  return (
    <>
      <h3>The newest task</h3>
      <ul class="rows">
        <TaskRow task={task} path={path} />
      </ul>
      {isSeen && isThere ? (
        <FilePreview
          file={{
            ...output,
            role: output.files[0]?.role ?? 'main',
            url: output.file_url,
            name: output.file_name,
          }}
        />
      ) : null}
      {output && isThere ? (
        <p class="actions">
          <a class="button" href={ownAddress(output.file_url)} download={output.file_name}>
            Download {output.file_name}
          </a>
        </p>
      ) : null}
      {output && !isThere ? <p>Its files have expired and were deleted.</p> : null}
    </>
  );
}
