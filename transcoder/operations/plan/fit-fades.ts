import type { Warning } from '../../../schema/task/task.ts';
import type { Fades } from './filters.ts';
import { micros, shown } from './require-streams.ts';

/** Shortens fades in proportion if together they are longer than the output, with a warning. */
export function fitFades(fades: Fades, seconds: number, warnings: Warning[]): Fades {
  const asked = fades.in + fades.out;
  if (asked <= seconds) return fades;
  const fitted = { in: micros((fades.in * seconds) / asked), out: micros((fades.out * seconds) / asked) };
  const parts = [
    ...(fades.in > 0 ? [`fade-in to ${shown(fitted.in)} s`] : []),
    ...(fades.out > 0 ? [`fade-out to ${shown(fitted.out)} s`] : []),
  ];
  const detail = `The fades (${shown(asked)} s) are longer than the output (${shown(seconds)} s) and were shortened: ${parts.join(', ')}.`;
  warnings.push({ code: 'fades_shortened', detail });
  return fitted;
}
