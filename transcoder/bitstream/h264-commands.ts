import type { BitReader, BitWriter } from './bits.ts';

/** A command that moves a picture to the front of a reference list (H.264 7.3.3.1). */
export interface Modification {
  /** modification_of_pic_nums_idc: 0 and 1 name a picture by a difference, 2 names a long-term one. */
  kind: number;
  value: number;
}

/** A command that changes which pictures are kept for reference (H.264 7.3.3.3), with its operands. */
export interface Marking {
  operation: number;
  values: readonly number[];
}

/** Most commands in a list; more are damage. */
const MOST = 66;
const END_OF_LIST = 3;
/** Operands of memory_management_control_operation 1 to 6. */
const operands = [0, 1, 1, 2, 1, 0, 1];

/** Empty if the list keeps its initial order. */
export function readModifications(reader: BitReader): Modification[] {
  const commands: Modification[] = [];
  if (!reader.flag()) return commands;
  for (let kind = reader.unsigned(); kind !== END_OF_LIST; kind = reader.unsigned()) {
    if (kind > END_OF_LIST || commands.length >= MOST) {
      throw new RangeError('a reference list modification does not end');
    }
    commands.push({ kind, value: reader.unsigned() });
  }
  return commands;
}

export function writeModifications(writer: BitWriter, commands: readonly Modification[]): void {
  writer.flag(commands.length > 0);
  if (commands.length === 0) return;
  for (const { kind, value } of commands) {
    writer.unsigned(kind);
    writer.unsigned(value);
  }
  writer.unsigned(END_OF_LIST);
}

/** Null for a sliding window: the oldest short-term picture makes room. */
export function readMarking(reader: BitReader): Marking[] | null {
  if (!reader.flag()) return null;
  const commands: Marking[] = [];
  for (let operation = reader.unsigned(); operation !== 0; operation = reader.unsigned()) {
    const count = operands[operation];
    if (count === undefined || commands.length >= MOST) {
      throw new RangeError('invalid memory management operation');
    }
    commands.push({ operation, values: Array.from({ length: count }, () => reader.unsigned()) });
  }
  return commands;
}

export function writeMarking(writer: BitWriter, commands: readonly Marking[] | null): void {
  writer.flag(commands !== null);
  if (commands === null) return;
  for (const { operation, values } of commands) {
    writer.unsigned(operation);
    for (const value of values) writer.unsigned(value);
  }
  writer.unsigned(0);
}
