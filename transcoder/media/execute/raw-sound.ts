import type { Step } from '../../model/steps.ts';
import { readsOf, writesOf } from '../steps/index.ts';

const raw: readonly Step['kind'][] = ['append', 'convert', 'level', 'place', 'separate', 'stretch'];

/** The files of raw sound that a step writes. */
export function rawSoundOf(step: Step): readonly string[] {
  if (raw.includes(step.kind)) return writesOf(step);
  if (step.kind !== 'render' && step.kind !== 'mix') return [];
  return step.outputs.filter(({ container }) => container === 'raw').map(({ file }) => file);
}

/** For each step, the files of raw sound that no later step reads or writes. An hour of it takes more than a gigabyte. */
export function spentAfter(steps: readonly Step[]): string[][] {
  const last = new Map<string, number>();
  for (const [index, step] of steps.entries()) {
    for (const file of [...readsOf(step), ...writesOf(step)]) last.set(file, index);
  }
  const spent: string[][] = steps.map(() => []);
  for (const file of new Set(steps.flatMap(rawSoundOf))) spent[last.get(file) ?? 0]?.push(file);
  return spent;
}
