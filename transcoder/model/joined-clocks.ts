import { TaskFailure } from './task-failure.ts';

/** Where a clock begins again: seconds of a packet, and of the packet of its stream before it. */
export interface Restart {
  before: number;
  at: number;
}

/** A source consists of several recordings, each with a clock of its own, but was read as one. */
export class JoinedClocks extends TaskFailure {
  constructor(restart: Restart | null, cause?: unknown) {
    super('source_damaged', severalRecordings(restart), { cause });
    this.name = 'JoinedClocks';
  }
}

export function severalRecordings(restart: Restart | null): string {
  const clock = restart
    ? `: after ${restart.before.toFixed(3)} s, its clock begins again at ${restart.at.toFixed(3)} s`
    : ', and cannot be read as one';
  return `The source consists of several recordings, one after another${clock}. Send each recording as a file of its own; /merge_urls joins them.`;
}
