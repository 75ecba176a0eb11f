import { denied, judged, NEWEST_KNOWN } from './denied.ts';

/** Supported architectures (AUDIT_ARCH_*), in the order of the numbers in denied.ts. */
const architectures = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;
export type FilteredArchitecture = keyof typeof architectures;

/** Linux error numbers. */
export const errno = { EPERM: 1, ENOSYS: 38, ENETUNREACH: 101 } as const;

/** Actions of seccomp(2). */
export const action = {
  ALLOW: 0x7fff0000,
  KILL_PROCESS: 0x80000000,
  refuse: (error: keyof typeof errno) => 0x00050000 | errno[error],
} as const;

/** The classic BPF operations in use. */
export const operation = { LOAD: 0x20, JUMP_EQUAL: 0x15, JUMP_GREATER: 0x25, JUMP_SET: 0x45, RETURN: 0x06 };

/**
 * Offsets in `struct seccomp_data`. Of 64-bit arguments the lower half, because the kernel uses only that half of
 * these.
 */
const field = { NUMBER: 0, ARCHITECTURE: 4, FIRST_ARGUMENT: 16, SECOND_ARGUMENT: 24 };

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const NEW_NAMESPACES = 0x7e020000;
const AF_UNIX = 1;
/** Both inject input into a terminal. */
const [TIOCSTI, TIOCLINUX] = [0x5412, 0x541c];

interface Instruction {
  code: number;
  /** Instructions to skip if the test is true, and if it is false. */
  jump?: readonly [number, number];
  operand: number;
}

const load = (offset: number): Instruction => ({ code: operation.LOAD, operand: offset });
const finish = (how: number): Instruction => ({ code: operation.RETURN, operand: how });
/** Runs the next `count` instructions if the test is true, otherwise skips them. */
const when = (code: number, operand: number, count: number): Instruction => ({
  ...{ code, operand },
  jump: [0, count],
});
const whenEqual = (operand: number, ...then: Instruction[]) => [
  when(operation.JUMP_EQUAL, operand, then.length),
  ...then,
];

/**
 * The seccomp filter of all processes that read media, as a program that bwrap reads from a file descriptor.
 *
 * It is a deny list. V8, glibc and the codecs choose their system calls by version, processor and kernel, so a call
 * missing from an allow list would fail in the middle of a task. Calls newer than the list return ENOSYS.
 */
export function seccompFilter(architecture: FilteredArchitecture): Buffer {
  const column = architecture === 'x64' ? 0 : 1;
  const refused = finish(action.refuse('EPERM'));
  const unknown = finish(action.refuse('ENOSYS'));
  const unreachable = finish(action.refuse('ENETUNREACH'));
  const allowed = finish(action.ALLOW);
  const unixOnly = [load(field.FIRST_ARGUMENT), ...whenEqual(AF_UNIX, allowed), unreachable];
  const numbers = Object.values(denied)
    .flatMap((calls): (readonly (number | null)[])[] => Object.values(calls))
    .flatMap((each) => each[column] ?? []);
  return encoded([
    load(field.ARCHITECTURE),
    { code: operation.JUMP_EQUAL, operand: architectures[architecture], jump: [1, 0] },
    finish(action.KILL_PROCESS),
    load(field.NUMBER),
    when(operation.JUMP_GREATER, NEWEST_KNOWN, 1),
    unknown,
    ...numbers.flatMap((number) => whenEqual(number, refused)),
    // The flags of clone3 are in memory, where a filter cannot read them. After ENOSYS glibc falls back to clone.
    ...whenEqual(judged.clone3[column], unknown),
    ...whenEqual(
      judged.clone[column],
      load(field.FIRST_ARGUMENT),
      when(operation.JUMP_SET, NEW_NAMESPACES, 1),
      refused,
      allowed,
    ),
    ...whenEqual(judged.socket[column], ...unixOnly),
    ...whenEqual(judged.socketpair[column], ...unixOnly),
    ...whenEqual(
      judged.ioctl[column],
      load(field.SECOND_ARGUMENT),
      ...whenEqual(TIOCSTI, refused),
      ...whenEqual(TIOCLINUX, refused),
    ),
    allowed,
  ]);
}

/** An array of little-endian `struct sock_filter`. */
function encoded(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, { code, jump = [0, 0], operand }] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(jump[0], index * 8 + 2);
    bytes.writeUInt8(jump[1], index * 8 + 3);
    bytes.writeUInt32LE(operand, index * 8 + 4);
  }
  return bytes;
}
