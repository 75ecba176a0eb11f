import { expect } from 'vitest';
import { readsOf, writesOf } from '../../../transcoder/media/steps/index.ts';
import type { Analysis, Facts, Plan } from '../../../transcoder/model/plan.ts';
import type { Step } from '../../../transcoder/model/steps.ts';

/** What is known before a plan; analyses may have left files behind. */
interface Before {
  facts?: Facts;
  analyses?: readonly Analysis[];
}

/** Files that a step reads, or that the plan delivers, before any step has written them. */
function unwrittenFiles({ steps, files }: Plan, { facts = {}, analyses = [] }: Before = {}): string[] {
  const spoken = Object.values(facts.speech?.files ?? {}).map(({ file }) => file);
  const drawn = analyses.flatMap((analysis) => (analysis.kind === 'pictures' ? analysis.drawing.files : []));
  const written = new Set([...spoken, ...drawn]);
  const missing: string[] = [];
  for (const step of steps) {
    missing.push(...readsOf(step).filter((file) => !written.has(file)));
    for (const file of writesOf(step)) written.add(file);
  }
  return [...missing, ...files.map(({ file }) => file).filter((file) => !written.has(file))];
}

const LIBAV_ALONE: readonly Step['kind'][] = ['splice', 'trim', 'mix'];

/**
 * Checks that each step of the plan and of its fallbacks reads only what was written before, and returns the plan. The last fallback must not need
 * libav, whose process may die at any step.
 */
export function closed(plan: Plan, before?: Before): Plan {
  expect(unwrittenFiles(plan, before), 'read before it is written').toEqual([]);
  if (plan.otherwise) closed(plan.otherwise, before);
  else {
    const kinds = plan.steps.map(({ kind }) => kind);
    expect(
      kinds.filter((kind) => LIBAV_ALONE.includes(kind)),
      'steps of libav without a fallback',
    ).toEqual([]);
  }
  return plan;
}
