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
  // Nobody wakes it.
  Atomics.wait(alarm, 0, 0, everyMs);
  const now = Atomics.load(counter, 0);
  unchanged = now === seen ? unchanged + 1 : 0;
  seen = now;
}
try {
  // The stream of stdout belongs to the loop that stands.
  jsonLog(log, (line) => writeSync(STDOUT, line)).error('the event loop stands still', {
    seconds: (patience * everyMs) / 1000,
  });
} finally {
  // `process.exit` in a thread ends the thread alone.
  process.kill(process.pid, 'SIGKILL');
}
