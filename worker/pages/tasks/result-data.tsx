import { Code } from '../elements.tsx';

/** Characters of the nested values that are shown. */
const SHOWN = 20_000;

type Scalar = string | number | boolean | null;

const isScalar = (value: unknown): value is Scalar => typeof value !== 'object' || value === null;

/** The result fields of an operation: single values as a list, the others as JSON. */
export function ResultData({ data }: { data: Record<string, unknown> }) {
  const entries = Object.entries(data);
  const scalars = entries.filter((entry): entry is [string, Scalar] => isScalar(entry[1]));
  const nested = entries.filter(([, value]) => !isScalar(value));
  if (entries.length === 0) return null;
  return (
    <>
      <h3>Data</h3>
      <dl class="facts">
        {scalars.map(([name, value]) => (
          <>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{value === null ? 'none' : String(value)}</dd>
          </>
        ))}
      </dl>
      {nested.map(([name, value]) => (
        <details>
          <summary>
            <code>{name}</code> {Array.isArray(value) ? `(${value.length})` : ''}
          </summary>
          <Code title={name} text={shortened(JSON.stringify(value, null, 2))} />
        </details>
      ))}
    </>
  );
}

const shortened = (text: string) =>
  text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}\n… ${text.length - SHOWN} more characters`;
