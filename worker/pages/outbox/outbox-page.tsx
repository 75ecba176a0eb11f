import { readOutbox } from '../../services/mail/read-outbox.ts';
import { Time } from '../elements.tsx';
import { PageError } from '../page-error.ts';
import type { Visit } from '../visit.ts';

/** The mails of a service in development, which are not sent. Links are links here. */
export async function showOutbox(visit: Visit): Promise<Response> {
  const mails = await readOutbox(visit.context);
  if (!mails) throw new PageError(404, 'Not found', 'This page exists in development only.');
  const body = (
    <>
      <h1>Outbox</h1>
      <p class="lead">Mails that this service would have sent, newest first. Reload to see new ones.</p>
      {mails.map(({ to, subject, text, sentAt }) => (
        <article class="mail">
          <h2>{subject}</h2>
          <p>
            To {to}, <Time ms={sentAt} />
          </p>
          <pre>
            {text
              .split(/(https?:\/\/\S+)/)
              .map((part, index) => (index % 2 === 1 ? <a href={part}>{part}</a> : part))}
          </pre>
        </article>
      ))}
    </>
  );
  return visit.page('Outbox', body);
}
