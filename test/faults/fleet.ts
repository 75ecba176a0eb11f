import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, startTranscoder, type TranscoderProcess } from '../transcoder/transcoder-process.ts';

/** What transcoders have left behind at their end; nothing, if all is well. */
export interface Leftovers {
  directories: string[];
  processes: number[];
}

/** Only root may mount, so elsewhere every disk is that of the machine, which no test fills. */
export const hasOwnDisks = process.platform === 'linux' && process.getuid?.() === 0;

const FILLER = 'filler';

/** One transcoder process that may die, hang and come back; its directory stays the same. */
export class Member {
  readonly workDir = mkdtempSync(join(tmpdir(), 'spool-test-work-'));
  readonly #env: Record<string, string>;
  readonly #ownDisk: boolean;
  #process: TranscoderProcess | null = null;
  /** Every process that was ever seen below it, and when it began; its number may be another's later. */
  readonly #seen = new Map<number, string>();

  /** `diskBytes`: its work directory is a disk of its own, of this size, that can be filled. */
  constructor(env: Record<string, string>, { diskBytes }: { diskBytes?: number } = {}) {
    this.#env = env;
    this.#ownDisk = diskBytes !== undefined && hasOwnDisks;
    if (this.#ownDisk)
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes},mode=700`, 'tmpfs', this.workDir]);
  }

  async start(): Promise<void> {
    const started = await startTranscoder({ ...this.#env, WORK_DIR: this.workDir });
    this.#process = started;
    void started.exited.then(() => {
      if (this.#process === started) this.#process = null;
    });
  }

  /** Null while it is dead. */
  get process(): TranscoderProcess | null {
    return this.#process;
  }

  get url(): string | null {
    return this.#process?.url ?? null;
  }

  /** Notes what runs below it now, so that `close` can tell whether it has ended. */
  look(): { ffmpeg: number[]; workers: number[] } {
    const found = { ffmpeg: this.#process?.descendants() ?? [], workers: this.#process?.workers() ?? [] };
    for (const pid of [...found.ffmpeg, ...found.workers]) this.#seen.set(pid, beginOf(pid));
    return found;
  }

  /** Sends a signal to the process alone. One that ends it is waited for. */
  async signal(name: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const target = this.#process;
    if (!target) return;
    this.look();
    target.child.kill(name);
    if (name === 'SIGKILL' || name === 'SIGTERM') await target.exited;
  }

  /** Leaves no byte free on its own disk. */
  fillDisk(): void {
    if (!this.#ownDisk) throw new Error('this member has no disk of its own');
    const { bavail, bsize } = statfsSync(this.workDir);
    try {
      writeFileSync(join(this.workDir, FILLER), Buffer.alloc(bavail * bsize));
    } catch (error) {
      // Its tasks write at the same time: who comes last gets the error.
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }

  freeDisk(): void {
    rmSync(join(this.workDir, FILLER), { force: true });
  }

  async close(): Promise<Leftovers> {
    await this.signal('SIGCONT');
    await this.signal('SIGTERM');
    const alive = () =>
      [...this.#seen].filter(([pid, begin]) => isAlive(pid) && beginOf(pid) === begin).map(([pid]) => pid);
    for (let tries = 0; tries < 100 && alive().length > 0; tries++)
      await new Promise((r) => setTimeout(r, 50));
    const left = {
      directories: readdirSync(this.workDir),
      processes: alive(),
    };
    if (this.#ownDisk) execFileSync('umount', ['--lazy', this.workDir]);
    rmSync(this.workDir, { recursive: true, force: true });
    return left;
  }
}

/** The start time of a process in ticks since the system's (proc(5), field 22 of stat); empty where it has ended. */
function beginOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a name in parentheses, which may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
