import { diskFailureIn } from '../model/disk-failure.ts';
import { TaskFailure } from '../model/task-failure.ts';
import { UnevenSound } from '../model/uneven-sound.ts';

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

const SHELL_SIGNAL = 128;
const SIGKILL = 9;
const SIGXFSZ = 25;
const SIGXCPU = 24;

/** ffmpeg exits by itself on the first SIGXCPU. */
const cpuSpent = /received signal 24/;
/** Messages of the system and of libraries when an allocation fails. */
const outOfMemory = /Cannot allocate memory|std::bad_alloc|malloc of size \d+ failed/;

const profileTooLarge = /Cannot store \d+ byte ICC profile/;

/** Messages of the encoders for AAC and MP3. Opus, FLAC and Vorbis encode such samples as clicks. */
const notFinite = /Input contains \(near\) NaN|calc_energy: Assertion/;

/** ffmpeg says it of sound only if it is asked to; see `soundArguments`. */
const soundChanges = /Changing audio frame properties on the fly is not supported/;

const endedEarly = /partial file|File ended prematurely|Truncating packet of size/;

/** Whether a run that succeeded reported that its source ends before its index says. */
export function sourceEndedEarly(stderrTail: string): boolean {
  return endedEarly.test(stderrTail);
}

/**
 * Decoder messages that occur for intact streams too: recordings that begin between two keyframes or with an open GOP,
 * whose first frames refer to missing ones, and container oddities that the demuxer corrects.
 */
const harmless = [
  /^\s*$/,
  /Last message repeated/,
  /\b(mmco: unref short failure|number of reference frames .* exceeds max)/,
  /\b(non-existing [SPV]PS \d+ referenced|decode_slice_header error|no frame!|[SPV]PS id out of range)/,
  /\b(Could not find ref with POC|Error constructing the frame RPS|The slice RPS|First slice in a frame missing)/,
  /\b(Missing reference picture|reference picture missing|co located POCs unavailable)/i,
  /\b(edit list|Could not find codec parameters|Unknown cover type|Unsupported codec .* for stream)/i,
  /\b(Application provided|Could not update timestamps|non monotonically increasing dts)/,
];

/** Whether stderr of a decoding run means that the file is damaged. */
export function saysDamage(stderr: string): boolean {
  return stderr.split('\n').some((line) => !harmless.some((pattern) => pattern.test(line)));
}

const noDecoder =
  /opening decoder|decoder .*not found|no decoder found|not (yet )?implemented|Cannot map stream .*unsupported type/i;

/** Whether ffmpeg has no decoder for a stream, or one that does not know its kind. */
export function decodersLack(stderr: string): boolean {
  return noDecoder.test(stderr);
}

/**
 * What a program says itself. ffmpeg prints the tags of its inputs, too, on lines that begin with spaces: a title may be that of any
 * error.
 */
export const withoutTags = (stderr: string): string =>
  stderr
    .split('\n')
    .filter((line) => !line.startsWith(' '))
    .join('\n');

/** Maps an exit of ffmpeg or ffprobe to a task failure. stderr goes to the log, never to the caller. */
export function diagnose(exit: Exit, stderrTail: string): TaskFailure {
  const cause = new Error(`ended with ${exit.signal ?? exit.code}: ${stderrTail.slice(-2000)}`);
  const by = (signal: NodeJS.Signals, number: number) =>
    exit.signal === signal || exit.code === SHELL_SIGNAL + number;
  const disk = diskFailureIn(stderrTail);
  if (disk) return disk;
  if (by('SIGXFSZ', SIGXFSZ)) {
    return new TaskFailure('output_too_large', 'The output is larger than your plan allows.', { cause });
  }
  if (by('SIGXCPU', SIGXCPU) || cpuSpent.test(stderrTail)) {
    return new TaskFailure('timed_out', 'Processing took longer than your plan allows.', { cause });
  }
  if (by('SIGKILL', SIGKILL) || outOfMemory.test(stderrTail)) {
    return new TaskFailure('out_of_memory', 'Rendering ran out of memory.', { cause });
  }
  if (profileTooLarge.test(stderrTail)) {
    return new TaskFailure('source_too_large', 'The color profile of the picture is too large for JPEG.', {
      cause,
    });
  }
  if (soundChanges.test(stderrTail)) return new UnevenSound(cause);
  if (notFinite.test(stderrTail)) {
    const detail = 'The audio of the source has samples that are not numbers, or far beyond full scale.';
    return new TaskFailure('source_damaged', detail, { cause });
  }
  return new TaskFailure('render_failed', 'The media could not be processed.', { cause });
}
