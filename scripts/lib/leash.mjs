/**
 * Ends the processes of `npm start` if `npm start` itself is killed. It has the other end of this process's standard input,
 * which then closes. A line `+<pid>` adds a process group, and `-<pid>` removes it.
 */
import { createInterface } from 'node:readline';
import { endFamily } from './process-table.mjs';

const GRACE_MS = 10_000;

/** @type {Set<number>} */
const leaders = new Set();
for await (const line of createInterface({ input: process.stdin })) {
  const pid = Number(line.slice(1));
  if (line.startsWith('+')) leaders.add(pid);
  else leaders.delete(pid);
}
await Promise.all([...leaders].map((pid) => endFamily(pid, GRACE_MS)));
