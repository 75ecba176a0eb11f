import { TaskFailure } from '../failure.ts';
import { diskFailureIn } from '../model/disk-failure.ts';

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

const SHELL_SIGNAL = 128;
const SIGKILL = 9;
const SIGXFSZ = 25;
const SIGXCPU = 24;

/** ffmpeg ends by itself at the first warning. */
const cpuSpent = /received signal 24/;
/** What the system says when memory is not to be had. */
const outOfMemory = /Cannot allocate memory|std::bad_alloc|malloc of size \d+ failed/;

const profileTooLarge = /Cannot store \d+ byte ICC profile/;

const endedEarly = /partial file|File ended prematurely|Truncating packet of size/;

/** Whether a run that succeeded found its source to be shorter than the source's own index says. */
export function sourceEndedEarly(stderrTail: string): boolean {
  return endedEarly.test(stderrTail);
}

/** The failure of the task that this end of ffmpeg or ffprobe means. The text goes to the log, never to the caller. */
export function diagnose(exit: Exit, stderrTail: string): TaskFailure {
  const cause = new Error(`ended with ${exit.signal ?? exit.code}: ${stderrTail.slice(-2000)}`);
  const by = (signal: NodeJS.Signals, number: number) =>
    exit.signal === signal || exit.code === SHELL_SIGNAL + number;
  const disk = diskFailureIn(stderrTail);
  if (disk) return disk;
  if (by('SIGXFSZ', SIGXFSZ)) {
    return new TaskFailure('output_too_large', 'The result is larger than a file may be.', { cause });
  }
  if (by('SIGXCPU', SIGXCPU) || cpuSpent.test(stderrTail)) {
    return new TaskFailure('timed_out', 'The work took more time than a task may take.', { cause });
  }
  if (by('SIGKILL', SIGKILL) || outOfMemory.test(stderrTail)) {
    return new TaskFailure('out_of_memory', 'The render was ended because memory ran out.', { cause });
  }
  if (profileTooLarge.test(stderrTail)) {
    return new TaskFailure('source_too_large', 'Its colour profile is larger than a JPEG may hold.', {
      cause,
    });
  }
  return new TaskFailure('render_failed', 'The media could not be processed.', { cause });
}
