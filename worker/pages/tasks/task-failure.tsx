import type { TaskError } from '../../../schema/task/task.ts';
import { Words } from '../elements.tsx';

const faults: Record<TaskError['fault'], string> = {
  caller: 'Something in the request has to change.',
  source: 'The media, or the server it came from, is the cause.',
  service: 'Spool is the cause.',
};

interface Shown {
  error: TaskError;
  /** JSON pointer to the field that it is about. */
  field: string | null;
  /** The form with the request of the task, unless that is the page itself. */
  again?: string;
}

/** Why a task failed, and what to do. */
export function Failure({ error, field, again }: Shown) {
  const { code, title, detail, hint, fault, retryable, source_index } = error;
  return (
    <section class="failure" aria-labelledby="failure">
      <h2 id="failure">{title}</h2>
      <p data-pointer={field ?? undefined}>
        <Words text={detail} />
      </p>
      {source_index === undefined ? null : (
        <p>
          This concerns source {source_index + 1}
          {field === null ? null : (
            <>
              , <code>{field}</code> in the request
            </>
          )}
          .
        </p>
      )}
      <p>
        <strong>What to do:</strong> <Words text={hint} />
      </p>
      <p class="hint">
        {faults[fault]}{' '}
        {retryable ? 'The same request can succeed later.' : 'The same request would fail again.'}{' '}
        <a href={`/docs/errors#${code}`}>
          About <code>{code}</code>
        </a>
        . {again === undefined ? null : <a href={again}>Edit and run again</a>}
      </p>
    </section>
  );
}
