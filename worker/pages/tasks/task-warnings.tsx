import type { Warning } from '../../../schema/task/task.ts';

export function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null;
  return (
    <section>
      <h2>Warnings</h2>
      <ul>
        {warnings.map(({ code, detail }) => (
          <li>
            <code>{code}</code> {detail}
          </li>
        ))}
      </ul>
    </section>
  );
}
