/** How a call fails: it is not done, it is done and its answer is lost, or it is slow. */
export type Mode = 'before' | 'after' | 'slow';

export interface Plan {
  scope: string;
  /** The call that fails, from 0, of those whose label contains `match`. */
  nth?: number;
  match?: string;
  /** How many calls in a row fail from there on; one if absent. */
  times?: number;
  mode?: Mode;
  /** Or this share of all calls in percent, chosen by a seed. */
  percent?: number;
  seed?: number;
}
