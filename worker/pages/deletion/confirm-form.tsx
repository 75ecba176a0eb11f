import { Form } from '../elements.tsx';
import type { Visit } from '../visit.ts';

/** Asks to type a name before something is deleted. */
export function ConfirmForm({
  visit,
  action,
  name,
  what,
  wrong,
}: {
  visit: Visit;
  action: string;
  name: string;
  /** On the button, after "Delete". */
  what: string;
  /** Whether another name was typed. */
  wrong: boolean;
}) {
  return (
    <Form visit={visit} action={action}>
      {wrong ? (
        <p id="confirm-error" class="notice error" role="alert">
          That is not <strong>{name}</strong>. Nothing was deleted.
        </p>
      ) : null}
      <label>
        Type {name} to confirm
        <input
          name="confirm"
          required
          autocomplete="off"
          spellcheck={false}
          aria-invalid={wrong ? 'true' : undefined}
          aria-describedby={wrong ? 'confirm-error' : undefined}
        />
      </label>
      <button class="danger" type="submit">
        Delete {what}
      </button>
    </Form>
  );
}

export const isConfirmed = (visit: Visit, name: string) => visit.field('confirm').trim() === name.trim();
