import { describe, expect, test } from 'vitest';
import { denied, judged, NEWEST_KNOWN } from '../../../transcoder/ffmpeg/seccomp/denied.ts';
import {
  action,
  type FilteredArchitecture,
  operation,
  seccompFilter,
} from '../../../transcoder/ffmpeg/seccomp/filter.ts';

const audit = { x64: 0xc000003e, arm64: 0xc00000b7 };
const I386 = 0x40000003;
const [PERMISSION, NO_SUCH_CALL, UNREACHABLE] = [
  action.refuse('EPERM'),
  action.refuse('ENOSYS'),
  action.refuse('ENETUNREACH'),
];
/** The longest program that the kernel takes. */
const LONGEST = 4096;

/** What the kernel makes of a system call: classic BPF over `struct seccomp_data`. */
function judge(program: Buffer, call: { number: number; architecture: number; args?: bigint[] }): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number, 0);
  data.writeUInt32LE(call.architecture, 4);
  for (const [index, arg] of (call.args ?? []).entries()) data.writeBigUInt64LE(arg, 16 + 8 * index);
  let accumulator = 0;
  for (let at = 0; at < program.length; at += 8) {
    const code = program.readUInt16LE(at);
    const operand = program.readUInt32LE(at + 4);
    const jump = (holds: boolean) => {
      at += 8 * program.readUInt8(holds ? at + 2 : at + 3);
    };
    if (code === operation.LOAD) accumulator = data.readUInt32LE(operand);
    else if (code === operation.JUMP_EQUAL) jump(accumulator === operand);
    else if (code === operation.JUMP_GREATER) jump(accumulator > operand);
    else if (code === operation.JUMP_SET) jump((accumulator & operand) !== 0);
    else if (code === operation.RETURN) return operand;
    else throw new Error(`${code} is no operation`);
  }
  throw new Error('the program runs over its end');
}

const every = Object.values(denied).flatMap((calls) => Object.entries(calls));
const names = [...every.map(([name]) => name), ...Object.keys(judged)];

test('what has been used to leave a sandbox is on the list', () => {
  const wanted = [
    ...['ptrace', 'process_vm_readv', 'process_vm_writev', 'pidfd_getfd', 'kcmp'],
    ...['mount', 'umount2', 'pivot_root', 'chroot', 'unshare', 'setns', 'move_mount', 'open_tree', 'fsopen'],
    ...['fsmount', 'mount_setattr', 'bpf', 'perf_event_open', 'userfaultfd', 'io_uring_setup'],
    ...['io_uring_enter', 'io_uring_register', 'add_key', 'request_key', 'keyctl', 'kexec_load'],
    ...['kexec_file_load', 'init_module', 'finit_module', 'delete_module', 'name_to_handle_at'],
    ...['open_by_handle_at', 'fanotify_init', 'quotactl', 'quotactl_fd', 'swapon', 'swapoff', 'reboot'],
    ...['symlinkat', 'linkat', 'mknodat', 'vmsplice', 'splice', 'shmget', 'mq_open', 'syslog', 'acct'],
    ...['settimeofday', 'clock_settime', 'personality', 'iopl', 'ioperm', 'modify_ldt', 'sethostname'],
    ...['clone', 'clone3', 'socket', 'socketpair', 'ioctl'],
  ];
  expect(names).toEqual(expect.arrayContaining(wanted));
});

test('each call is named once, and each number of an architecture too', () => {
  expect(new Set(names).size).toBe(names.length);
  for (const column of [0, 1] as const) {
    const numbers = [...every.map(([, pair]) => pair), ...Object.values(judged)].flatMap(
      (pair) => pair[column] ?? [],
    );
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(Math.max(...numbers)).toBeLessThanOrEqual(NEWEST_KNOWN);
  }
});

describe.each(['x64', 'arm64'] as const)('the filter of %s', (name: FilteredArchitecture) => {
  const column = name === 'x64' ? 0 : 1;
  const program = seccompFilter(name);
  const of = (number: number, ...args: bigint[]) =>
    judge(program, { number, architecture: audit[name], args });
  const forbidden = new Set(every.flatMap(([, pair]) => pair[column] ?? []));
  const judgedNumbers = new Set<number>(Object.values(judged).map((pair) => pair[column]));

  test('can be loaded', () => {
    expect(program.length % 8).toBe(0);
    expect(program.length / 8).toBeLessThan(LONGEST);
  });

  test('refuses what is denied, allows every other call that is known, and knows none beyond', () => {
    for (let number = 0; number <= NEWEST_KNOWN; number++) {
      if (judgedNumbers.has(number)) continue;
      expect(of(number, 1n, 1n), `${number}`).toBe(forbidden.has(number) ? PERMISSION : action.ALLOW);
    }
    for (const number of [NEWEST_KNOWN + 1, 512, 0x40000000, 0x40000000 + 101, 0x7fffffff, 0xffffffff]) {
      expect(of(number), `${number}`).toBe(NO_SUCH_CALL);
    }
  });

  test('ends a process that calls as another architecture does', () => {
    for (const architecture of [I386, 0, ...Object.values(audit).filter((other) => other !== audit[name])]) {
      expect(judge(program, { number: 1, architecture })).toBe(action.KILL_PROCESS);
    }
  });

  test('allows threads and children, and no namespace', () => {
    const clone = judged.clone[column];
    const [thread, child] = [0x3d0f00n, 0x1200011n];
    expect([of(clone, thread), of(clone, child)]).toEqual([action.ALLOW, action.ALLOW]);
    for (const flag of [17, 25, 26, 27, 28, 29, 30].map((bit) => 1n << BigInt(bit))) {
      expect(of(clone, thread | flag), flag.toString(16)).toBe(PERMISSION);
    }
    expect(of(judged.clone3[column])).toBe(NO_SUCH_CALL);
  });

  test('allows sockets of the family UNIX alone, whatever the upper half of the argument', () => {
    for (const call of [judged.socket[column], judged.socketpair[column]]) {
      expect(of(call, 1n)).toBe(action.ALLOW);
      for (let family = 0n; family < 50n; family++) {
        if (family === 1n) continue;
        expect(of(call, family), `${family}`).toBe(UNREACHABLE);
        expect(of(call, family | (1n << 32n)), `${family}`).toBe(UNREACHABLE);
      }
    }
  });

  test('lets nothing be typed into a terminal', () => {
    const ioctl = judged.ioctl[column];
    for (const request of [0x5412n, 0x541cn, 0x5412n | (1n << 40n)])
      expect(of(ioctl, 0n, request)).toBe(PERMISSION);
    expect(of(ioctl, 0n, 0x5401n)).toBe(action.ALLOW);
  });
});
