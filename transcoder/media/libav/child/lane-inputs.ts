import type { Stream } from 'node-av/lib';
import type { SpliceRequest } from '../../../model/splice.ts';
import { type RunReader, type SampledPicture, SampleReader } from './mp4/sample-reader.ts';
import { Reader, readerAt } from './read/reader.ts';

/** The readers of a lane. */
export interface LaneInputs {
  at(input: number): Promise<Reader>;
  /** For packets of the picture from an entry on. */
  runsOf(input: number): Promise<RunReader>;
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
    runsOf: async (input) => readerAt(readers, input),
    keep: async () => {},
  };
}

/** Opened when they are first needed, and for as long as they are. */
export class OwnReaders implements LaneInputs {
  readonly #inputs: SpliceRequest['inputs'];
  readonly #pictures: ReadonlyMap<number, SampledPicture>;
  readonly #open = new Map<number, Reader>();
  readonly #sampled = new Map<number, SampleReader>();

  /** @param pictures By input, those that are read by the index of their file. */
  constructor(inputs: SpliceRequest['inputs'], pictures: ReadonlyMap<number, SampledPicture>) {
    this.#inputs = inputs;
    this.#pictures = pictures;
  }

  async at(input: number): Promise<Reader> {
    const asked = this.#inputs[input];
    if (!asked) throw new Error('a piece reads an input that does not exist');
    const reader = this.#open.get(input) ?? (await Reader.open(asked));
    this.#open.set(input, reader);
    return reader;
  }

  async runsOf(input: number): Promise<RunReader> {
    const picture = this.#pictures.get(input);
    if (!picture) return this.at(input);
    const reader = this.#sampled.get(input) ?? new SampleReader(picture);
    this.#sampled.set(input, reader);
    return reader;
  }

  async keep(needed: ReadonlySet<number>): Promise<void> {
    for (const [input, reader] of this.#open) {
      if (needed.has(input)) continue;
      this.#open.delete(input);
      await reader.close();
    }
    for (const [input, reader] of this.#sampled) {
      if (needed.has(input)) continue;
      this.#sampled.delete(input);
      reader.close();
    }
  }
}
