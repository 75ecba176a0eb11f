import type { Fault, Path, Time } from './timeline.ts';

/** Faults to report; a document can have thousands. */
const MOST_FAULTS = 20;
/** Greatest value of a time: three years at a million units per second. */
const MOST_VALUE = 1e14;
const MOST_RATE = 1e6;

export type Node = Readonly<Record<string, unknown>>;

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads only what the document itself has: inherited names such as `constructor` are absent. */
export const own = (node: Node, key: string): unknown => (Object.hasOwn(node, key) ? node[key] : undefined);

/** Reads the parts that documents are made of, and notes what is wrong with them. */
export class Reading {
  readonly faults: Fault[] = [];
  /** Names under which the media of any clip may be given, shown or not. */
  readonly names: Set<string>;

  constructor(names = new Set<string>()) {
    this.names = names;
  }

  /** @returns null, for the reader to return in turn. */
  refuse(path: Path, message: string): null {
    if (this.faults.length < MOST_FAULTS) this.faults.push({ path, message });
    return null;
  }

  /** The name of an object's schema, such as `Clip.2`; null if it has none. */
  schemaOf(value: unknown, path: Path): string | null {
    const name = isNode(value) ? own(value, 'OTIO_SCHEMA') : undefined;
    if (typeof name === 'string' && name.length <= 64) return name;
    return this.refuse(path, 'must be an OpenTimelineIO object with an `OTIO_SCHEMA`');
  }

  /** An absent list is empty. */
  list(node: Node, key: string, path: Path): readonly unknown[] {
    const value = own(node, key) ?? [];
    if (Array.isArray(value)) return value;
    this.refuse([...path, key], 'must be a list');
    return [];
  }

  text(node: Node, key: string): string | null {
    const value = own(node, key);
    return typeof value === 'string' && value.trim() !== '' ? value : null;
  }

  time(value: unknown, path: Path): Time | null {
    const node = isNode(value) ? value : {};
    const [amount, rate] = [own(node, 'value'), own(node, 'rate')];
    if (typeof amount !== 'number' || !(Math.abs(amount) <= MOST_VALUE)) {
      return this.refuse(path, 'must be a `RationalTime` with a finite `value`');
    }
    if (typeof rate !== 'number' || !(rate > 0 && rate <= MOST_RATE)) {
      return this.refuse(
        path,
        `must be a \`RationalTime\` whose \`rate\` is above 0 and at most ${MOST_RATE}`,
      );
    }
    return { value: amount, rate };
  }

  /** A length or an offset. */
  amount(value: unknown, path: Path): Time | null {
    const time = this.time(value, path);
    return time && time.value < 0 ? this.refuse(path, 'must not be negative') : time;
  }

  /** An absent range is null; so is a wrong one, which is noted. */
  range(node: Node, key: string, path: Path): { start: Time; duration: Time } | null {
    const value = own(node, key) ?? null;
    if (value === null) return null;
    if (!isNode(value)) return this.refuse([...path, key], 'must be a `TimeRange`');
    const start = this.time(own(value, 'start_time'), [...path, key, 'start_time']);
    const duration = this.amount(own(value, 'duration'), [...path, key, 'duration']);
    return start && duration && { start, duration };
  }
}

/** Deeper documents are refused: nothing that an editor writes comes near. */
const MOST_DEPTH = 48;

/** Whether objects and lists are nested deeper than that. Does not recurse. */
export function isTooDeep(document: unknown): boolean {
  let layer: unknown[] = [document];
  for (let depth = 0; layer.length > 0; depth++) {
    if (depth > MOST_DEPTH) return true;
    layer = layer.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return false;
}
