import type { Stream } from 'node-av/lib';
import type { SpliceRequest } from '../../../model/splice.ts';
import { Reader, readerAt } from './read/reader.ts';

/** The readers of a lane. */
export interface LaneInputs {
  at(input: number): Promise<Reader>;
  /** Closes the readers of all other inputs. */
  keep(needed: ReadonlySet<number>): Promise<void>;
}

/** What a lane works with. */
export interface Place {
  /** The stream whose parameters the encoded frames have. */
  like: Stream;
  inputs: LaneInputs;
  /** How many lanes work at the same time. */
  sharing: number;
}

/** For a lane that works while nothing else reads the inputs. */
export function shared(readers: readonly Reader[]): LaneInputs {
  return {
    at: async (input) => readerAt(readers, input),
    keep: async () => {},
  };
}

/** Opened when they are first needed, and for as long as they are. */
export class OwnReaders implements LaneInputs {
  readonly #inputs: SpliceRequest['inputs'];
  readonly #open = new Map<number, Reader>();

  constructor(inputs: SpliceRequest['inputs']) {
    this.#inputs = inputs;
  }

  async at(input: number): Promise<Reader> {
    const asked = this.#inputs[input];
    if (!asked) throw new Error('a piece reads an input that does not exist');
    const reader = this.#open.get(input) ?? (await Reader.open(asked));
    this.#open.set(input, reader);
    return reader;
  }

  async keep(needed: ReadonlySet<number>): Promise<void> {
    for (const [input, reader] of this.#open) {
      if (needed.has(input)) continue;
      this.#open.delete(input);
      await reader.close();
    }
  }
}
