import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { root } from './paths.mjs';
import { endFamily } from './process-table.mjs';

const GRACE_MS = 10_000;
/** Time for the remaining output of an ended program to arrive. */
const LAST_WORDS_MS = 1000;
const HEAD_LINES = 15;
const TAIL_LINES = 25;
const leashFile = join(dirname(fileURLToPath(import.meta.url)), 'leash.mjs');

/**
 * @typedef {object} RunOptions
 * @property {NodeJS.ProcessEnv} [env]
 *
 * @typedef {object} ServeOptions
 * @property {NodeJS.ProcessEnv} env
 * @property {string} log File for its output.
 * @property {boolean} verbose Whether to also show its output.
 * @property {boolean} [again] Whether it ran before: then its log is appended to.
 * @property {AbortSignal} [stop] When aborted, ends only this program.
 * @property {(text: string) => void} [onText] Called with its output as it arrives.
 */

/** A long-running program has ended. */
export class Ended extends Error {
  /**
   * @param {string} name
   * @param {string} how Its exit code, or the signal that ended it.
   * @param {string} logged The end of its log.
   */
  constructor(name, how, logged) {
    super(`The ${name} ended with ${how}. ${logged}`);
    this.how = how;
  }
}

/** The processes that a script starts, each in its own group, so that none outlives the script. */
export class Children {
  /** @type {Set<number>} */
  #live = new Set();
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #leash;
  #stopping = false;

  /**
   * Runs a program and waits for its end.
   * @param {string} command
   * @param {readonly string[]} args
   * @param {RunOptions} [options]
   * @returns {Promise<string>} Its output.
   */
  run(command, args, { env = process.env } = {}) {
    return new Promise((resolve, reject) => {
      const child = this.#spawn(command, args, env);
      let stdout = '';
      let both = '';
      child.stdout?.setEncoding('utf8').on('data', (text) => {
        stdout += text;
        both += text;
      });
      child.stderr?.setEncoding('utf8').on('data', (text) => {
        both += text;
      });
      child.once('error', reject);
      child.once('close', (code, signal) => {
        if (child.pid !== undefined && !this.#stopping) this.#forget(child.pid);
        if (code === 0) return resolve(stdout);
        const what = [command, ...args.slice(0, 4)].join(' ');
        reject(new Error(`${what} … ended with ${signal ?? code}:\n${excerpt(both)}`));
      });
    });
  }

  /**
   * Runs a program, shows its output, and waits for its end.
   * @param {string} command
   * @param {readonly string[]} args
   * @param {RunOptions} [options]
   * @returns {Promise<number>} Its exit code; 1 if a signal ended it.
   */
  show(command, args, { env = process.env } = {}) {
    return new Promise((resolve, reject) => {
      const child = this.#spawn(command, args, env, 'inherit');
      child.once('error', reject);
      child.once('close', (code) => {
        if (child.pid !== undefined && !this.#stopping) this.#forget(child.pid);
        resolve(code ?? 1);
      });
    });
  }

  /**
   * Starts a program that runs until `stopAll`.
   * @param {string} name
   * @param {string} command
   * @param {readonly string[]} args
   * @param {ServeOptions} options
   * @returns {Promise<never>} Rejects if it ends earlier.
   */
  serve(name, command, args, { env, log, verbose, again = false, stop, onText }) {
    mkdirSync(dirname(log), { recursive: true });
    // Created immediately: a stream opens its file later, and others already read it.
    writeFileSync(log, '', { mode: 0o600, flag: again ? 'a' : 'w' });
    const file = createWriteStream(log, { flags: 'a' });
    const child = this.#spawn(command, args, env);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        file.write(chunk);
        if (verbose) process.stdout.write(chunk);
        else onText?.(String(chunk));
      });
    }
    stop?.addEventListener('abort', () => {
      const runs = child.exitCode === null && child.signalCode === null;
      if (child.pid !== undefined && runs) void endFamily(child.pid, GRACE_MS);
    });
    return new Promise((_, reject) => {
      child.once('error', reject);
      const closed = new Promise((resolve) => child.once('close', resolve));
      // `close` alone is not sufficient: processes started by the program may outlive it and keep its output open.
      child.once('exit', async (code, signal) => {
        if (this.#stopping) return;
        if (child.pid !== undefined) await endFamily(child.pid, 0);
        await Promise.race([closed, sleep(LAST_WORDS_MS)]);
        if (this.#stopping) return;
        if (child.pid !== undefined) this.#forget(child.pid);
        for (const stream of [child.stdout, child.stderr]) stream?.destroy();
        file.end(() => {
          if (this.#stopping) return;
          const text = excerpt(readFileSync(log, 'utf8'));
          reject(new Ended(name, String(signal ?? code), `The end of ${log}:\n${text}`));
        });
      });
    });
  }

  /**
   * Ends all processes, the last started first.
   * @param {AbortSignal} [hurry] Aborted: kill at once.
   */
  async stopAll(hurry) {
    this.#stopping = true;
    for (const pid of [...this.#live].reverse()) {
      await endFamily(pid, GRACE_MS, hurry);
      this.#forget(pid);
    }
    this.#leash?.stdin?.end();
  }

  /**
   * @param {string} command
   * @param {readonly string[]} args
   * @param {NodeJS.ProcessEnv} env
   * @param {'pipe' | 'inherit'} [output]
   */
  #spawn(command, args, env, output = 'pipe') {
    if (this.#stopping) throw new Error('Stopping.');
    const child = spawn(command, args, { cwd: root, env, detached: true, stdio: ['ignore', output, output] });
    const { pid } = child;
    if (pid !== undefined) {
      this.#live.add(pid);
      this.#tell(`+${pid}`);
    }
    return child;
  }

  /** @param {number} pid */
  #forget(pid) {
    if (this.#live.delete(pid)) this.#tell(`-${pid}`);
  }

  /** @param {string} line */
  #tell(line) {
    if (!this.#leash) {
      this.#leash = spawn(process.execPath, [leashFile], {
        detached: true,
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      this.#leash.unref();
      this.#leash.stdin?.on('error', () => {
        // Only the fallback is lost: signals still stop everything.
        this.#leash = undefined;
      });
    }
    this.#leash?.stdin?.write(`${line}\n`);
  }
}

/**
 * The end of a program's output, and its start, which often shows the cause.
 * @param {string} text
 */
export function excerpt(text) {
  const lines = text.trimEnd().split('\n');
  if (lines.length <= HEAD_LINES + TAIL_LINES) return lines.join('\n');
  return [...lines.slice(0, HEAD_LINES), '…', ...lines.slice(-TAIL_LINES)].join('\n');
}
