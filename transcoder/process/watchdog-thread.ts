import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { jsonLog } from '../log.ts';
import type { Watch } from './watchdog.ts';

const { beats, everyMs, patience, log } = workerData as Watch;
const STDOUT = 1;
const counter = new Int32Array(beats);
const alarm = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

let seen = Atomics.load(counter, 0);
for (let unchanged = 0; unchanged < patience; ) {
  // Used as a sleep: the value never changes.
  Atomics.wait(alarm, 0, 0, everyMs);
  const now = Atomics.load(counter, 0);
  unchanged = now === seen ? unchanged + 1 : 0;
  seen = now;
}
try {
  // Writes synchronously, because the stdout stream belongs to the blocked event loop.
  jsonLog(log, (line) => writeSync(STDOUT, line)).error('event loop blocked', {
    seconds: (patience * everyMs) / 1000,
  });
} finally {
  // In a thread, `process.exit` ends only the thread.
  process.kill(process.pid, 'SIGKILL');
}
