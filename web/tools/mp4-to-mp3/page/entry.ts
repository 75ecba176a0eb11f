import type { Failure } from '../failures.ts';
import type { Converted, Inspection } from '../messages.ts';
import type { Choices, Settings } from '../settings.ts';

/** A file of the list. */
export interface Entry {
  file: File;
  name: string;
  state: State;
  /** What it was before the conversion that waits, is under way or has failed; canceled, it is that again. */
  earlier: Done | null;
  inspection: Inspection | null;
  choices: Choices;
  /** Ends its conversion. */
  stop: AbortController;
  /** Ends everything that is done with it. */
  removed: AbortController;
}

export type State =
  | { kind: 'reading' }
  | { kind: 'ready' }
  | { kind: 'waiting' }
  | { kind: 'canceled' }
  | { kind: 'working'; fraction: number; secondsLeft: number | null }
  | { kind: 'failed'; failure: Failure; wasMadeOf: string }
  | Done;

export interface Done {
  kind: 'done';
  result: Converted;
  wasMadeOf: string;
}

/** What the end of a conversion depends on: with something else, it is tried again. */
export const recipe = (settings: Settings, choices: Choices) => JSON.stringify([settings, choices]);

/** The last result: that of an earlier conversion until the next one has ended well. */
export const resultOf = ({ state, earlier }: Entry): Converted | null =>
  (state.kind === 'done' ? state : earlier)?.result ?? null;

export const isBusy = ({ state }: Entry) => state.kind === 'waiting' || state.kind === 'working';

/** Whether "Convert" has something to do with it. */
export function isDue(entry: Entry, settings: Settings): boolean {
  const { state, inspection, choices } = entry;
  if (!inspection || isBusy(entry)) return false;
  return !('wasMadeOf' in state) || state.wasMadeOf !== recipe(settings, choices);
}
