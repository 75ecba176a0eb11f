import type { Log } from '../log.ts';

/** The other end of a pipe, socket or channel is gone: nothing in this process is wrong. */
const GONE = [
  'EPIPE',
  'ECONNRESET',
  'ERR_IPC_CHANNEL_CLOSED',
  'ERR_IPC_DISCONNECTED',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
];

/**
 * The policy for errors that nothing has caught. A peer that is gone and a promise that nobody waited for are logged, and
 * the process goes on: an attempt that hangs by it is ended by its time limit or lease. After any other exception the state
 * of the process is unknown, so it leaves.
 * @param leave Hands the tasks back and ends the process.
 */
export function watchStrayErrors(log: Log, leave: () => void): void {
  process.on('unhandledRejection', (error) => log.error('unhandled rejection', { error }));
  process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
    const gone = GONE.includes(error?.code ?? '');
    log.error(gone ? 'a peer is gone' : 'uncaught exception', { error });
    if (!gone) leave();
  });
}
