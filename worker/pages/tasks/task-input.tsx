import { shownOperation } from '../../../schema/operations/shown.ts';
import type { Task } from '../../../schema/task/task.ts';
import { curlPost, pythonPost, typeScriptPost } from '../../lib/request-snippets.ts';
import { redactedFields, requestOf } from '../../services/tasks/request-of-task.ts';
import { Code } from '../elements.tsx';
import { bytesText } from '../words.ts';

/** The request of a task, and code that sends it again. */
export function TaskInput({ task, publicUrl }: { task: Task; publicUrl: string }) {
  const request = requestOf(task);
  const { path } = shownOperation(task.operation);
  const { bytes_read } = task.input;
  const text = JSON.stringify(request, null, 2);
  return (
    <section>
      <h2>Input</h2>
      {typeof bytes_read === 'number' ? <p>{bytesText(bytes_read)} of the sources were read.</p> : null}
      {redactedFields(request).length > 0 ? (
        <p>Query strings of URLs are not shown. Put them back before you send the request again.</p>
      ) : null}
      <Code title={`POST ${path}`} text={text} />
      <details>
        <summary>The request as code: curl, TypeScript, Python</summary>
        <Code title="curl" text={curlPost(publicUrl, path, request)} />
        <Code title="TypeScript" text={typeScriptPost(publicUrl, path, request)} />
        <Code title="Python" text={pythonPost(publicUrl, path, request)} />
      </details>
    </section>
  );
}
