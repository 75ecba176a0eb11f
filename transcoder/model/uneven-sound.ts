import { TaskFailure } from './task-failure.ts';

/** Sound that is decoded changes its sample rate or channels, which filters that count samples cannot follow. */
export class UnevenSound extends TaskFailure {
  constructor(cause: unknown) {
    const detail = 'The sound of the source changes its sample rate or channels, and could not be decoded.';
    super('source_damaged', detail, { cause });
    this.name = 'UnevenSound';
  }
}
