import { type FormatContext, Packet, type Stream } from 'node-av/lib';
import type { Demuxer } from '../../../../../schema/media/demuxers.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { streamOf } from '../av.ts';
import { openInput, readPacket } from '../read/input.ts';
import { ClockJumps } from './clock-jumps.ts';

const paced: readonly Demuxer[] = ['mpeg'];

/** Whether files are joined byte by byte in a format of which not every packet states its times. */
export const isPacedByClock = (format: Demuxer): boolean => paced.includes(format);

/** Packets between two turns of the event loop, which lets messages out. */
const TURN = 512;

/** Reads one stream of a source whose packets have one clock, though that of the source may begin again. */
export class OneClock {
  readonly stream: Stream;
  readonly #index: number;
  readonly #kept: readonly number[];
  readonly #input: FormatContext;
  readonly #jumps: ClockJumps;
  readonly #packet = new Packet();
  #count = 0;

  private constructor(input: FormatContext, index: number, kept: readonly number[]) {
    this.stream = streamOf(input, index);
    this.#index = index;
    this.#kept = kept;
    this.#input = input;
    this.#jumps = new ClockJumps(
      kept.map((each) => streamOf(input, each)),
      { withinGroups: true },
    );
    this.#packet.alloc();
  }

  /** @param kept Streams of the result, which jump together. */
  static async open(source: SourceParts, stream: number, kept: readonly number[]): Promise<OneClock> {
    return new OneClock(await openInput(source, kept), stream, kept);
  }

  /** By recording, the seconds that the times of what was read are moved. */
  get moved(): readonly number[] {
    return this.#jumps.moved;
  }

  /** The next packet, which is valid until the next call; null at the end. */
  async next(): Promise<Packet | null> {
    do {
      this.#packet.unref();
      this.#count += 1;
      if (this.#count % TURN === 0) await new Promise(setImmediate);
      if (!(await readPacket(this.#input, this.#packet))) return null;
      this.#jumps.follow(this.#packet, this.#kept.indexOf(this.#packet.streamIndex), null);
    } while (this.#packet.streamIndex !== this.#index);
    return this.#packet;
  }

  async close(): Promise<void> {
    this.#packet.free();
    await this.#input.closeInput();
  }
}
