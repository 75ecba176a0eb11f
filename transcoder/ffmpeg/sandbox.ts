import type { TranscoderReady } from '../../schema/task/wire.ts';
import { seccompFilter } from './seccomp/filter.ts';

export type SandboxLevel = TranscoderReady['sandbox'];

/** What native programs are kept in here; found once at start, see find-sandbox.ts. */
export interface Sandbox {
  /**
   * `bwrap`: no network, no other process, only the system's files and the job's, three devices, and the system calls that
   * seccomp/denied.ts leaves. `unshare`: no network and no other process. `none`: nothing but limits.
   */
  level: SandboxLevel;
  /** Whether bwrap can lower the limit on namespaces. It cannot where /proc/sys is read-only, as in Docker: seccomp forbids them either way. */
  nested: boolean;
  /** Whether `prlimit` is there to set limits. */
  limited: boolean;
  /** Most memory that one process may have to write in. */
  memoryBytes: number;
}

/** A directory, and where a process finds it: it may be moved there once the process runs. */
export interface Mount {
  from: string;
  at: string;
}

/** What one process may see and use. */
export interface Confinement {
  /** Where it runs: a directory that it may write in, or `/`. */
  cwd: string;
  /** Further directories that it may write in. */
  writes?: readonly (string | Mount)[];
  /** Files and directories that it may read beside those of the system. */
  reads?: readonly string[];
  /** Largest file that it may write. */
  fileBytes: number;
  /** Null where it lives longer than one task. */
  cpuSeconds: number | null;
}

/** Directories of a Debian system, and what names libraries and fonts outside them; x265 counts processors by /sys. */
const system = [
  ...['/usr', '/bin', '/lib', '/lib64', '/sys/devices/system'],
  ...['/etc/ld.so.cache', '/etc/alternatives', '/etc/fonts', '/var/cache/fontconfig'],
];

/** Of nobody; SVT-AV1 complains for each of its threads where it runs as root. */
const ID = '10001';
const FILES = 1024;
/** Threads too; encoders start dozens, and decoders some for each input of a merge. */
const PROCESSES = 4096;
/** So long after the first warning. */
const CPU_GRACE_SECONDS = 5;

/** Devices that programs see: no terminal, no shared memory. */
const devices = ['/dev/null', '/dev/zero', '/dev/urandom'];

/** The file descriptor from which bwrap reads a filter. */
export const FILTER_FD = 3;

export interface ConfinedCommand {
  command: [string, ...string[]];
  /** What has to be written to FILTER_FD of the process; null where it reads none. */
  filter: Buffer | null;
}

/** The command that runs `command` confined; man pages: bwrap(1), unshare(1), prlimit(1). */
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
    const nobody = [`--map-user=${ID}`, `--map-group=${ID}`];
    const command = ['unshare', ...own, ...nobody, '--fork', '--kill-child', '--', ...limited] as const;
    return { command: [...command], filter: null };
  }
  return { command: limited, filter: null };
}

let made: Buffer | undefined;

/** Throws on an architecture without a filter: there is no `bwrap` level there. */
function ourFilter(): Buffer {
  const { arch } = process;
  if (arch !== 'x64' && arch !== 'arm64') throw new Error(`there is no seccomp filter for ${arch}`);
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
 * Memory is counted as what may be written: V8 and threads set aside far more addresses than they ever use. Processes are
 * counted by user, so only where the sandbox has users of its own.
 */
function limits({ level, memoryBytes }: Sandbox, { fileBytes, cpuSeconds }: Confinement): string[] {
  return [
    ...['--core=0', `--nofile=${FILES}`, `--fsize=${fileBytes}`, `--data=${memoryBytes}`],
    ...(level === 'none' ? [] : [`--nproc=${PROCESSES}`]),
    ...(cpuSeconds === null ? [] : [`--cpu=${cpuSeconds}:${cpuSeconds + CPU_GRACE_SECONDS}`]),
  ];
}
