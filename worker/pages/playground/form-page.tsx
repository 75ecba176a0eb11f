import { errorEntry } from '../../../schema/api/errors.ts';
import type { FieldError } from '../../../schema/api/problem.ts';
import { type OperationName, operations } from '../../../schema/operations/index.ts';
import { commonFields } from '../../../schema/operations/operation.ts';
import { canPresign } from '../../lib/presigned-put.ts';
import type { Problem } from '../../lib/problem.ts';
import type { TaskView } from '../../repos/task-row.ts';
import { inputSchema } from '../../services/docs/input-schema.ts';
import { type ReadyRequest, readyRequests, sampleSources } from '../../services/playground/ready-requests.ts';
import { keyHeaderOf } from '../../services/tasks/provider-key.ts';
import { redactedFields, requestOf } from '../../services/tasks/request-of-task.ts';
import { taskView } from '../../services/tasks/task-view.ts';
import { PageError } from '../page-error.ts';
import { ownTask } from '../tasks/own-task.ts';
import type { MemberVisit, PageOptions } from '../visit.ts';
import { operationOf, playgroundPath } from './paths.ts';
import { Problems } from './problems.tsx';
import { runOf } from './run-page.tsx';

interface Draft {
  /** The request as JSON. */
  text: string;
  problem?: Problem;
  /** What the sender has to fill in. */
  missing?: FieldError[];
  task?: TaskView;
}

const textOf = (request: unknown) => JSON.stringify(request, null, 2);

/** The form of an operation: empty, with an example (`?example=`), or with the request of a task (`?task=`). */
export async function showForm(visit: MemberVisit): Promise<Response> {
  const name = operationOf(visit);
  const query = visit.url.searchParams;
  const [example, id] = [query.get('example'), query.get('task')];
  if (id !== null) {
    const task = await ownTask(visit, id);
    if (task.operation !== name)
      return visit.redirect(`${playgroundPath(visit, task.operation)}?task=${task.id}`);
    // A dry run is changed into a run, which the form offers beside it.
    const { dry_run: _, ...request } = requestOf(await taskView(visit.core.config, task));
    return formPage(visit, name, { text: textOf(request), missing: redactedFields(request), task });
  }
  if (example === null || example === '') return formPage(visit, name, { text: '{}' });
  const ready = (await readyRequests(visit.core, name)).find((one) => one.name === example);
  if (!ready) throw new PageError(404, 'Not found', 'There is no such example.');
  return formPage(visit, name, { text: textOf(ready.input), missing: ready.placeholders });
}

export async function formPage(visit: MemberVisit, name: OperationName, draft: Draft): Promise<Response> {
  const { title, summary, path } = operations[name];
  const ready = await readyRequests(visit.core, name);
  const { config } = visit.context;
  const uploads = canPresign(config);
  const body = (
    <>
      <h1>{title}</h1>
      <p class="lead">{summary}</p>
      <p>
        <a href={playgroundPath(visit)}>Other operations</a> ·{' '}
        <a href={`/docs/operations/${name.replaceAll('_', '-')}`}>Reference</a>
      </p>
      <Examples visit={visit} ready={ready} />
      <form
        method="post"
        action={playgroundPath(visit, name)}
        class="play"
        novalidate
        data-schema={JSON.stringify(inputSchema(name))}
        data-layout={JSON.stringify(layoutOf(name))}
        data-samples={JSON.stringify(await sampleSources(visit.core))}
        data-url={config.PUBLIC_URL + path}
        data-key-header={keyHeaderOf(name) ?? undefined}
        data-uploads={uploads ? `/app/${visit.membership.account.id}/uploads` : undefined}
      >
        <input type="hidden" name="form_token" value={visit.formToken} />
        <input type="hidden" name="once" value={crypto.randomUUID()} />
        <div class="fields">
          {/* The script puts the fields in its place. */}
          <p class="notice">
            The fields of this form need JavaScript. Without it, write the request as JSON.
          </p>
        </div>
        <div class="request">
          <Problems problem={draft.problem} missing={draft.missing} />
          <Request name={name} text={draft.text} />
          {await runOf(visit, draft.task ?? null)}
        </div>
      </form>
    </>
  );
  const status = (draft.problem && errorEntry(draft.problem.code).status) ?? 200;
  return visit.page(title, body, {
    status: status as NonNullable<PageOptions['status']>,
    scripts: ['playground'],
    connectTargets: uploads ? [new URL(config.S3_ENDPOINT).origin] : [],
  });
}

/** Which fields are shown first, those that requests usually have, and which last, because all operations have them. */
function layoutOf(name: OperationName) {
  const { required = [] } = inputSchema(name);
  const usual = operations[name].examples.flatMap(({ input }) => Object.keys(input));
  return { first: [...new Set([...required, ...usual])], last: Object.keys(commonFields) };
}

function Examples({ visit, ready }: { visit: MemberVisit; ready: readonly ReadyRequest[] }) {
  const groups = [
    { label: 'Can be run as they are', asIs: true },
    { label: 'With addresses to replace', asIs: false },
  ];
  const chosen = visit.url.searchParams.get('example');
  return (
    <form method="get" class="inline">
      <select name="example" aria-label="Example">
        {groups.map(({ label, asIs }) => {
          const options = ready.filter(({ placeholders }) => (placeholders.length === 0) === asIs);
          return options.length === 0 ? null : (
            <optgroup label={label}>
              {options.map(({ name, title }) => (
                <option value={name} selected={name === chosen}>
                  {title}
                </option>
              ))}
            </optgroup>
          );
        })}
      </select>
      <button class="second" type="submit">
        Fill in the example
      </button>
    </form>
  );
}

function Request({ name, text }: { name: OperationName; text: string }) {
  const header = keyHeaderOf(name);
  return (
    <>
      <label for="request">Request</label>
      <textarea
        id="request"
        name="request"
        rows={14}
        spellcheck={false}
        autocomplete="off"
        aria-describedby="request-fault"
      >
        {`\n${text}`}
      </textarea>
      <p id="request-fault" class="wrong" hidden />
      {header ? (
        <label>
          {`Your own key for ${header}`}
          <input name="provider_key" type="password" autocomplete="off" maxlength={200} />
        </label>
      ) : null}
      <p class="actions">
        <button class="second" type="submit" name="dry" value="yes">
          Dry run
        </button>
        <button type="submit">Run</button>
      </p>
      <p class="hint">A dry run checks the request and its sources, and makes no files.</p>
      <details class="curl" hidden>
        <summary>As a curl command</summary>
        <figure class="code">
          <figcaption>curl</figcaption>
          <pre tabindex={0}>
            <code />
          </pre>
        </figure>
      </details>
      <p id="run-news" class="unseen" role="status" />
    </>
  );
}
