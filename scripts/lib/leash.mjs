/**
 * Ends what `npm start` started should `npm start` itself be killed: it holds the other end of this process's standard input,
 * which closes with it. A line `+<pid>` adds a process group, `-<pid>` takes it off.
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
