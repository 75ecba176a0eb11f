/** Why an attempt was ended from outside; the reason of its abort signal. */
export type Why = 'stopped' | 'stale' | 'released' | 'timed_out';

export class Interruption extends Error {
  readonly why: Why;

  constructor(why: Why) {
    super(`the attempt was interrupted: ${why}`);
    this.name = 'Interruption';
    this.why = why;
  }
}
