import type { TranscoderReady } from '../../schema/task/wire.ts';
import { seccompFilter } from './seccomp/filter.ts';

export type SandboxLevel = TranscoderReady['sandbox'];

/** How native programs are confined on this machine; found once at start, see find-sandbox.ts. */
export interface Sandbox {
  /**
   * `bwrap`: no network or other processes; only system files and the job's files, three devices, and the system calls
   * that seccomp/denied.ts does not deny. `unshare`: no network or other processes. `none`: resource limits only.
   */
  level: SandboxLevel;
  /**
   * Whether the sandbox already runs in a container where /proc/sys is read-only, as in Docker. bwrap then cannot lower
   * the limit on namespaces; seccomp denies them in either case.
   */
  nested: boolean;
  /** Whether `prlimit` is available to set limits. */
  limited: boolean;
  /** Most writable memory of one process. */
  memoryBytes: number;
}

/** A directory and the path at which a process sees it. It may be moved to that path after the process has started. */
interface Mount {
  from: string;
  at: string;
}

/** What one process may see and use. */
export interface Confinement {
  /** Working directory: one that it may write in, or `/`. */
  cwd: string;
  /** Further writable directories. */
  writes?: readonly (string | Mount)[];
  /** Files and directories that it may read in addition to the system's. */
  reads?: readonly string[];
  /** Largest file that it may write. */
  fileBytes: number;
  /** Null if it outlives a task. */
  cpuSeconds: number | null;
}

/** Directories of a Debian system, and files that locate libraries and fonts. x265 counts processors through /sys. */
const system = [
  ...['/usr', '/bin', '/lib', '/lib64', '/sys/devices/system'],
  ...['/etc/ld.so.cache', '/etc/alternatives', '/etc/fonts', '/var/cache/fontconfig'],
];

/** An unprivileged id: SVT-AV1 prints a warning per thread if it runs as root. */
const ID = '10001';
const FILES = 1024;
/** Counts threads too. Encoders start dozens, and so do decoders for the inputs of a merge. */
const PROCESSES = 4096;
/** Between SIGXCPU and SIGKILL. */
const CPU_GRACE_SECONDS = 5;

/** Devices that programs see. Neither terminals nor shared memory. */
const devices = ['/dev/null', '/dev/zero', '/dev/urandom'];

/** The file descriptor from which bwrap reads a filter. */
export const FILTER_FD = 3;

export interface ConfinedCommand {
  command: [string, ...string[]];
  /** Data to write to FILTER_FD of the process, if any. */
  filter: Buffer | null;
}

/** Builds the confined command line; man pages: bwrap(1), unshare(1), prlimit(1). */
export function confined(
  sandbox: Sandbox,
  command: readonly [string, ...string[]],
  confinement: Confinement,
): ConfinedCommand {
  const limited: [string, ...string[]] = sandbox.limited
    ? ['prlimit', ...limits(sandbox, confinement), ...command]
    : [...command];
  if (sandbox.level === 'bwrap') {
    const namespaces = sandbox.nested ? [] : ['--disable-userns'];
    const calls = ['--seccomp', `${FILTER_FD}`];
    return {
      command: ['bwrap', ...namespaces, ...calls, ...view(command[0], confinement), '--', ...limited],
      filter: ourFilter(),
    };
  }
  if (sandbox.level === 'unshare') {
    const own = ['--user', '--net', '--ipc', '--pid', '--mount-proc'];
    const unprivileged = [`--map-user=${ID}`, `--map-group=${ID}`];
    const command = ['unshare', ...own, ...unprivileged, '--fork', '--kill-child', '--', ...limited] as const;
    return { command: [...command], filter: null };
  }
  return { command: limited, filter: null };
}

let made: Buffer | undefined;

/** Throws on an architecture without a filter, which makes the `bwrap` level unavailable there. */
function ourFilter(): Buffer {
  const { arch } = process;
  if (arch !== 'x64' && arch !== 'arm64') throw new Error(`no seccomp filter for the architecture ${arch}`);
  made ??= seccompFilter(arch);
  return made;
}

function view(program: string, { cwd, writes = [], reads = [] }: Confinement): string[] {
  const namespaces = ['user', 'ipc', 'pid', 'net', 'uts'].map((name) => `--unshare-${name}`);
  const own = program.startsWith('/') && !program.startsWith('/usr/') ? [program] : [];
  const writable = [...(cwd === '/' ? [] : [cwd]), ...writes];
  return [
    ...[...namespaces, '--uid', ID, '--gid', ID, '--cap-drop', 'ALL', '--die-with-parent'],
    ...devices.flatMap((path) => ['--dev-bind', path, path]),
    ...system.flatMap((path) => ['--ro-bind-try', path, path]),
    ...writable.flatMap((each) =>
      typeof each === 'string' ? ['--bind', each, each] : ['--bind', each.from, each.at],
    ),
    ...[...own, ...reads].flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--remount-ro', '/', '--chdir', cwd],
  ];
}

/**
 * Limits writable memory rather than address space: V8 and threads reserve far more addresses than they use. The
 * process limit counts by user, so it is set only if the sandbox has its own users.
 */
function limits({ level, memoryBytes }: Sandbox, { fileBytes, cpuSeconds }: Confinement): string[] {
  return [
    ...['--core=0', `--nofile=${FILES}`, `--fsize=${fileBytes}`, `--data=${memoryBytes}`],
    ...(level === 'none' ? [] : [`--nproc=${PROCESSES}`]),
    ...(cpuSeconds === null ? [] : [`--cpu=${cpuSeconds}:${cpuSeconds + CPU_GRACE_SECONDS}`]),
  ];
}
