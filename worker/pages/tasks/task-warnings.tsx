import type { Warning } from '../../../schema/task/task.ts';
import { Words } from '../elements.tsx';

export function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null;
  return (
    <section>
      <h2>Warnings</h2>
      <ul>
        {warnings.map(({ code, detail }) => (
          <li>
            <code>{code}</code> <Words text={detail} />
          </li>
        ))}
      </ul>
    </section>
  );
}
