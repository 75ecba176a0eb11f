import type { Log } from '../log.ts';

/** The other end of a pipe, socket or channel is gone; this process is not at fault. */
const GONE = [
  'EPIPE',
  'ECONNRESET',
  'ERR_IPC_CHANNEL_CLOSED',
  'ERR_IPC_DISCONNECTED',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
];

/**
 * Policy for uncaught errors. A disconnected peer and an unhandled rejection are logged and the process continues: an
 * attempt that hangs because of one is ended by its time limit or lease. After any other exception the state of the
 * process is unknown, so it ends.
 * @param end Ends the process.
 */
export function watchStrayErrors(log: Log, end: () => void): void {
  process.on('unhandledRejection', (error) => log.error('unhandled rejection', { error }));
  process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
    const gone = GONE.includes(error?.code ?? '');
    log.error(gone ? 'peer disconnected' : 'uncaught exception', { error });
    if (!gone) end();
  });
}
