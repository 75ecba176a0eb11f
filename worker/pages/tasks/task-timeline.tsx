import type { StageTimes } from '../../../drizzle/tables.ts';
import { type Stage, stages, type Task } from '../../../schema/task/task.ts';
import { Time } from '../elements.tsx';
import { durationText } from '../words.ts';

/** All stages but the end, which the status says. */
const worked = stages.filter((stage) => stage !== 'done');

type StageState = 'done' | 'current' | 'failed' | 'open';

function stateOf(task: Task, stage: Stage): StageState {
  if (task.status === 'completed') return 'done';
  const [at, own] = [stages.indexOf(task.stage), stages.indexOf(stage)];
  if (own < at) return 'done';
  if (own > at) return 'open';
  return task.status === 'failed' ? 'failed' : 'current';
}

const stateTexts: Record<StageState, string> = {
  done: 'done',
  current: 'now',
  failed: 'failed here',
  open: 'not reached',
};

const secondsBetween = (from: string, to: string) => Math.max(0, Date.parse(to) - Date.parse(from)) / 1000;

/** How long a stage took; null while it goes on, or if its end was not recorded. */
function stageSeconds(task: Task, times: StageTimes, stage: Stage): number | null {
  const own = stages.indexOf(stage);
  const isLast = stages.slice(own + 1).every((later) => times[later] === undefined);
  const wasLast = stage === 'uploading' || task.plan !== null || task.error?.stage === stage;
  const end = isLast && wasLast && task.completed_at !== null ? Date.parse(task.completed_at) : undefined;
  const [from, to] = [times[stage], times[stages[own + 1] ?? 'done'] ?? end];
  return from === undefined || to === undefined ? null : Math.max(0, to - from) / 1000;
}

/** When what happened, and the stages of the last attempt. */
export function Timeline({ task, times }: { task: Task; times: StageTimes }) {
  const { created_at, started_at, completed_at, expires_at, attempt, status } = task;
  return (
    <section>
      <h2>Timeline</h2>
      <dl class="facts">
        <dt>Created</dt>
        <dd>
          <Time ms={Date.parse(created_at)} />
        </dd>
        {started_at === null ? null : (
          <>
            <dt>Started</dt>
            <dd>
              <Time ms={Date.parse(started_at)} />, after{' '}
              {durationText(secondsBetween(created_at, started_at))} in the queue
            </dd>
          </>
        )}
        {completed_at === null ? null : (
          <>
            <dt>{status === 'failed' ? 'Failed' : 'Completed'}</dt>
            <dd>
              <Time ms={Date.parse(completed_at)} />
              {started_at === null
                ? null
                : `, after ${durationText(secondsBetween(started_at, completed_at))}`}
            </dd>
          </>
        )}
        {expires_at === null ? null : (
          <>
            <dt>Files kept until</dt>
            <dd>
              <Time ms={Date.parse(expires_at)} />
            </dd>
          </>
        )}
        <dt>Attempts</dt>
        <dd>{attemptText(attempt)}</dd>
      </dl>
      <ol class="stages" aria-label="Stages of the last attempt">
        {worked.map((stage) => {
          const state = stateOf(task, stage);
          const seconds = stageSeconds(task, times, stage);
          return (
            <li class={state} data-stage={stage} aria-current={state === 'current' ? 'step' : undefined}>
              {stage}{' '}
              <span class="state">
                {stateTexts[state]}
                {seconds === null ? null : `, ${durationText(seconds)}`}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function attemptText(attempt: number): string {
  if (attempt === 0) return 'none yet';
  if (attempt === 1) return '1';
  const earlier = attempt === 2 ? 'The first one' : `The first ${attempt - 1}`;
  return `${attempt}. ${earlier} ended without a result, for example because a machine was replaced.`;
}
