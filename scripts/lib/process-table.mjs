import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const POLL_MS = 20;

/**
 * @typedef {object} ProcessEntry
 * @property {number} pid
 * @property {number} parent
 * @property {number} group
 */

/**
 * Every process that runs; zombies are left out.
 * @returns {ProcessEntry[]}
 */
export function processTable() {
  return existsSync('/proc/self/stat') ? fromProc() : fromPs();
}

/** @returns {ProcessEntry[]} */
function fromProc() {
  const found = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readIfThere(`/proc/${name}/stat`);
    // The second field is the program's name in parentheses and may contain anything.
    const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (stat === '' || state === 'Z') continue;
    found.push({ pid: Number(name), parent: Number(parent), group: Number(group) });
  }
  return found;
}

/** @returns {ProcessEntry[]} */
function fromPs() {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat='], { encoding: 'utf8' }).split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([pid, , , stat]) => pid && !stat?.startsWith('Z'))
    .map(([pid, parent, group]) => ({ pid: Number(pid), parent: Number(parent), group: Number(group) }));
}

/**
 * When a process started, as the system says it: in ticks since boot, or as a date. Empty if it has ended.
 * @param {number} pid
 * @returns {string}
 */
export function startOf(pid) {
  if (!existsSync('/proc/self/stat')) {
    const table = execFileSync('ps', ['-A', '-o', 'pid=,lstart='], {
      encoding: 'utf8',
      // One text for one moment, whatever the shell is set to.
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    });
    return new RegExp(`^ *${pid} +(.*?) *$`, 'm').exec(table)?.[1] ?? '';
  }
  const stat = readIfThere(`/proc/${pid}/stat`);
  // Field 22; the third comes after the program's name.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // The process ended between listing and reading.
    if (isMissing(error)) return '';
    throw error;
  }
}

/** @param {unknown} error */
function isMissing(error) {
  const code = /** @type {NodeJS.ErrnoException} */ (error).code;
  return code === 'ENOENT' || code === 'ESRCH';
}

/**
 * The processes of a group and all processes they started, in any group.
 * @param {number} leader
 * @param {ReadonlySet<number>} [known] Members seen before; they count even if their parents are gone.
 * @returns {Set<number>}
 */
export function familyOf(leader, known = new Set()) {
  const table = processTable();
  const family = new Set();
  let grown = true;
  while (grown) {
    grown = false;
    for (const { pid, parent, group } of table) {
      if (family.has(pid)) continue;
      if (pid === leader || group === leader || known.has(pid) || family.has(parent)) {
        family.add(pid);
        grown = true;
      }
    }
  }
  return family;
}

/**
 * Ends a program: sends SIGTERM so that it can end and wait for its children. After the grace period, sends SIGKILL to the rest
 * of its group and to the processes they started.
 * @param {number} leader
 * @param {number} graceMs
 * @param {AbortSignal} [hurry] Aborted: no more grace.
 */
export async function endFamily(leader, graceMs, hurry) {
  let family = familyOf(leader);
  if (family.size === 0) return;
  send(leader, 'SIGTERM');
  const deadline = Date.now() + graceMs;
  while (Date.now() < deadline && !hurry?.aborted) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    family = familyOf(leader, family);
    if (family.size === 0) return;
  }
  for (const pid of family) send(pid, 'SIGKILL');
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
