import type { Task } from '../../../schema/task/task.ts';
import type { MemberVisit } from '../visit.ts';
import { playgroundPath, taskPath } from './paths.ts';

const hasEnded = ({ status }: Task) => status === 'completed' || status === 'failed';

/** How a task goes, and what came of it. The script asks for it again at `data-next` until the task has ended. */
export function RunView({ visit, task }: { visit: MemberVisit; task: Task | null }) {
  if (!task) return <section id="run" hidden />;
  const next = `${playgroundPath(visit, task.operation)}/runs/${task.id}`;
  return (
    <section id="run" class="run" aria-labelledby="run-title" data-next={hasEnded(task) ? undefined : next}>
      <h2 id="run-title" tabindex={-1}>
        {task.input.dry_run === true ? 'Dry run' : 'Run'}
      </h2>
      <p>
        <strong id="run-status">{statusText(task)}</strong>{' '}
        <a href={taskPath(visit, task.id)}>Open the task</a>
      </p>
      {hasEnded(task) ? null : (
        <progress max={100} value={task.progress_percent} aria-label="Progress">
          {task.progress_percent} %
        </progress>
      )}
      {task.error ? <Failure error={task.error} /> : null}
      {task.warnings.length === 0 ? null : (
        <ul>
          {task.warnings.map(({ detail }) => (
            <li>{detail}</li>
          ))}
        </ul>
      )}
      {task.output ? <Output output={task.output} /> : null}
      {task.plan ? <Plan plan={task.plan} /> : null}
    </section>
  );
}

function statusText({ status, stage, queue_position: position }: Task): string {
  if (status === 'queued') return position === null ? 'Queued.' : `Queued, number ${position} in line.`;
  if (status === 'processing') return `Processing: ${stage}.`;
  return status === 'completed' ? 'Completed.' : 'Failed.';
}

function Failure({ error }: { error: NonNullable<Task['error']> }) {
  return (
    <div class="notice error">
      <p>
        <strong>{error.title}.</strong> {error.detail}
      </p>
      <p>
        {error.hint} <a href={`/docs/errors#${error.code}`}>About this error</a>
      </p>
    </div>
  );
}

function Output({ output }: { output: NonNullable<Task['output']> }) {
  return (
    <>
      <Media output={output} />
      <ul>
        {output.files.map(({ role, url, media_type: type, file_size: size }) => (
          <li>
            <a href={url}>{role}</a> {type}, {size.toLocaleString('en')} bytes
          </li>
        ))}
      </ul>
      <Data title="Data" data={output.data} />
    </>
  );
}

function Media({ output }: { output: NonNullable<Task['output']> }) {
  const { file_url: src, media_type: type, file_name: name, files } = output;
  const captions = files.find((file) => file.media_type.startsWith('text/vtt'));
  if (type.startsWith('video/')) {
    return (
      <video src={src} controls preload="metadata" aria-label={name}>
        <track kind="captions" label="Captions" src={captions?.url} />
      </video>
    );
  }
  if (type.startsWith('audio/')) {
    return (
      <audio src={src} controls preload="metadata" aria-label={name}>
        <track kind="captions" label="Captions" src={captions?.url} />
      </audio>
    );
  }
  return type.startsWith('image/') ? <img src={src} alt={name} /> : null;
}

function Plan({ plan }: { plan: NonNullable<Task['plan']> }) {
  const { files, duration, width, height } = plan;
  const facts = [
    ...(width === null ? [] : [`${width} × ${height} pixels`]),
    ...(duration === null ? [] : [`${duration} s`]),
  ];
  return (
    <>
      <p>The sources can be read. Run it to get:</p>
      <ul>
        {files.map(({ role, file_name: name, media_type: type }) => (
          <li>
            {role}: {name}, {type}
          </li>
        ))}
      </ul>
      {facts.length === 0 ? null : <p>{facts.join(', ')}</p>}
      <Data title="The whole plan" data={plan} />
    </>
  );
}

function Data({ title, data }: { title: string; data: unknown }) {
  return (
    <details>
      <summary>{title}</summary>
      <pre tabindex={0}>
        <code>{JSON.stringify(data, null, 2)}</code>
      </pre>
    </details>
  );
}
