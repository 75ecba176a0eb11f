import type { PropsWithChildren } from 'hono/jsx';
import { withNext } from './own-path.ts';
import type { Visit } from './visit.ts';

/** A form that posts to a path of this service, with the token of the session. */
export function Form({
  visit,
  action,
  inline,
  passkey,
  send,
  children,
}: PropsWithChildren<{
  visit: Pick<Visit, 'formToken'>;
  action: string;
  inline?: boolean;
  passkey?: { get?: string; create?: string };
  /** The script sends it at once. */
  send?: boolean;
}>) {
  return (
    <form
      method="post"
      action={action}
      class={inline ? 'inline' : 'stacked'}
      data-passkey-get={passkey?.get}
      data-passkey-create={passkey?.create}
      data-send={send}
    >
      <input type="hidden" name="form_token" value={visit.formToken} />
      {children}
    </form>
  );
}

/** What went wrong, or what to do next. */
export function Notice({ kind = 'info', children }: PropsWithChildren<{ kind?: 'info' | 'error' }>) {
  return (
    <p class={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      {children}
    </p>
  );
}

/** Text with names in backticks, as descriptions and errors have them. */
export function Words({ text }: { text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>))}</>;
}

/** The field for a six-digit code. */
export function CodeField({ name = 'code', label = 'Six-digit code' }: { name?: string; label?: string }) {
  return (
    <label>
      {label}
      <input
        class="code-field"
        name={name}
        inputmode="numeric"
        autocomplete="one-time-code"
        pattern="[0-9 ]{6,8}"
        maxlength={8}
        required
      />
    </label>
  );
}

export function EmailField({ name = 'email', label }: { name?: string; label: string }) {
  return (
    <label>
      {label}
      <input name={name} type="email" autocomplete="email" maxlength={254} required />
    </label>
  );
}

/** A time, to the minute, UTC. */
export function Time({ ms }: { ms: number }) {
  const iso = new Date(ms).toISOString();
  return <time datetime={iso}>{`${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`}</time>;
}

/** In place of forms that need a fresh proof of identity. */
export function ProveFirst({ next, what }: { next: string; what: string }) {
  return (
    <Notice>
      To {what}, <a href={withNext('/app/prove', next)}>confirm that it is you</a>.
    </Notice>
  );
}

/** Code with a button that copies it. */
export function Code({ title, text }: { title: string; text: string }) {
  return (
    <figure class="code">
      <figcaption>{title}</figcaption>
      <pre tabindex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
