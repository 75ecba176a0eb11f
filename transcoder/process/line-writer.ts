import type { Writable } from 'node:stream';

/** Limit on bytes buffered for a slow or stopped reader. */
const MOST_WAITING = 1024 * 1024;

/**
 * Writes lines to a stream that may break or stall at any time, without failing or blocking. Lines that do not fit into
 * the buffer are dropped; their number is logged once the stream accepts lines again.
 */
export function lineWriter(stream: Writable): (line: string) => void {
  let dropped = 0;
  // EPIPE: the reader of the log is gone. Continue without a log.
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
