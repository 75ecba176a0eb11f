import { html } from 'hono/html';
import type { Example } from '../../../schema/api/examples.ts';
import { operationNames, operations } from '../../../schema/operations/index.ts';
import { notYet } from '../docs/not-yet.ts';
import type { Html } from '../docs/shell.ts';
import { type StageContext, stage } from '../docs/stage.ts';
import { requestTabs, tabs } from '../docs/tabs.ts';

/** One result of each operation that can be looked at, each with its request. @param here The examples that were made. */
export function showcase(here: readonly Example[], context: StageContext): Html {
  const shown = here.filter(({ featured, seen }) => featured && seen);
  if (shown.length > 0) {
    const list = shown.map((example) => ({
      title: operations[example.operation].title,
      content: stage(example, context),
    }));
    return tabs('shown', 'Results', list, 'shown-results');
  }
  const [first] = operationNames;
  return html`${notYet}
${requestTabs('way', first, operations[first].examples[0]?.input, context.publicUrl)}`;
}
