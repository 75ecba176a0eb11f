import { errorEntry } from '../../../schema/api/errors.ts';
import type { FieldError } from '../../../schema/api/problem.ts';
import type { Problem } from '../../lib/problem.ts';
import { Words } from '../elements.tsx';

/** What is wrong with a request, or what its sender has to fill in; the script shows each at its field. */
export function Problems({
  problem,
  missing = [],
}: {
  problem: Problem | undefined;
  missing: FieldError[] | undefined;
}) {
  if (!problem && missing.length === 0) return <div id="problem" hidden />;
  const fields = problem?.errors ?? missing;
  return (
    <div id="problem" class={problem ? 'notice error' : 'notice'} role="alert" tabindex={-1}>
      {problem ? (
        <p>
          <strong>{errorEntry(problem.code).title}.</strong>{' '}
          {fields.length > 0 ? null : <Words text={problem.message} />}{' '}
          <a href={`/docs/errors#${problem.code}`}>About this error</a>
        </p>
      ) : null}
      {fields.length === 0 ? null : (
        <ul>
          {fields.map(({ pointer, detail }) => (
            <li data-pointer={pointer}>
              <Words text={detail} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
