import type { Writable } from 'node:stream';

/** Bytes that may wait for a reader that is slow or stopped. */
const MOST_WAITING = 1024 * 1024;

/**
 * Writes lines to a stream that may break or stall at any time, without ever failing or waiting. Lines that cannot be held
 * are dropped, and counted once the stream takes lines again.
 */
export function lineWriter(stream: Writable): (line: string) => void {
  let dropped = 0;
  // EPIPE: whoever read the log is gone. The work goes on without one.
  stream.on('error', () => {});
  return (line) => {
    if (stream.writableLength + line.length > MOST_WAITING) {
      dropped += 1;
      return;
    }
    if (dropped > 0) {
      const note = {
        time: new Date().toISOString(),
        level: 'warn',
        message: 'log lines dropped',
        lines: dropped,
      };
      stream.write(`${JSON.stringify(note)}\n`);
      dropped = 0;
    }
    stream.write(line);
  };
}
