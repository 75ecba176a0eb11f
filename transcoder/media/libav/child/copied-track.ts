import { AV_PKT_FLAG_DISCARD } from 'node-av/constants';
import type { IRational, Packet, Stream } from 'node-av/lib';
import type { SpliceRequest, TrimRequest } from '../../../model/splice.ts';
import { Reader } from './read/reader.ts';
import { type Clock, SampleClock, StatedClock, samplesIn } from './sample-clock.ts';

type Trim = Pick<NonNullable<SpliceRequest['audio']>, 'start' | 'end' | 'settle' | 'rate'>;

/** Seconds before the first needed sample at which reading begins. */
const LEAD = 0.3;
/** Packets that an edge of a sound may add. */
const SPARE = 64;

/** The packets of a sound that hold the wanted samples, or all packets of a text; retimed for the output. */
export class CopiedTrack {
  readonly #reader: Reader;
  readonly #clock: Clock;
  readonly #trim: Trim;
  /** Presentation time of the first packet to copy. */
  readonly #first: number;
  #next: Packet | null = null;
  #ended = false;
  #closing: Promise<void> | null = null;

  private constructor(reader: Reader, { clock, trim, first }: { clock: Clock; trim: Trim; first: number }) {
    this.#reader = reader;
    this.#clock = clock;
    this.#trim = trim;
    this.#first = first;
  }

  static async open(input: TrimRequest['input'], trim: Trim): Promise<CopiedTrack> {
    const reader = await Reader.open(input);
    const { num, den } = reader.timeBase;
    const ofTick = trim.rate === undefined ? 1 : (trim.rate * num) / den;
    const before = Math.floor(trim.start / ofTick - (LEAD * den) / num);
    await reader.seekSound(before);
    const clock =
      trim.rate === undefined ? new StatedClock(reader.timeBase) : await SampleClock.of(reader, trim.rate);
    if (trim.rate !== undefined) await reader.seekSound(before);
    const first = await firstPacket(reader, clock, trim);
    await reader.seekSound(before);
    clock.restart();
    return new CopiedTrack(reader, { clock, trim, first });
  }

  get stream(): Stream {
    return this.#reader.stream;
  }

  /** Of the packets. */
  get timeBase(): IRational {
    return this.#clock.timeBase;
  }

  /** More packets than a sound of its length has, if each holds the samples that its codec prescribes. */
  get mostPackets(): number {
    const { num, den } = this.timeBase;
    const { start, end, settle } = this.#trim;
    const samples = ((end - start) * num * this.stream.codecpar.sampleRate) / den;
    // Packets may overlap where recordings were joined.
    return Math.ceil((1.1 * samples) / samplesIn(this.stream)) + settle + SPARE;
  }

  /** The next packet if it is decoded before this second of the output. Call `taken` once it is written. */
  async before(seconds: number): Promise<Packet | null> {
    if (!this.#next && !this.#ended) await this.#advance();
    const { num, den } = this.timeBase;
    return this.#next && (Number(this.#next.dts) * num) / den < seconds ? this.#next : null;
  }

  taken(): void {
    this.#next = null;
  }

  /** Does nothing if it has been closed. */
  async close(): Promise<void> {
    this.#closing ??= this.#reader.close();
    await this.#closing;
  }

  async #advance(): Promise<void> {
    const { start, end } = this.#trim;
    for (;;) {
      const packet = await this.#reader.next();
      const played = packet && this.#clock.of(packet);
      if (!packet || (played && played.pts >= end)) {
        this.#ended = true;
        return;
      }
      if (!played || played.pts < this.#first) continue;
      const { pts, duration } = played;
      packet.pts = packet.dts = BigInt(pts - start);
      packet.duration = BigInt(Math.min(duration, end - pts));
      packet.clearFlags(AV_PKT_FLAG_DISCARD);
      packet.freeSideData();
      this.#next = packet;
      return;
    }
  }
}

/**
 * Presentation time of the packet that the output begins with: one of those that prime the decoder before the packet in which the range
 * starts. Players drop samples up to the start by counting them, so no gap may be among these packets.
 */
async function firstPacket(reader: Reader, clock: Clock, { start, settle }: Trim): Promise<number> {
  let row: { pts: number; end: number }[] = [];
  for (let packet = await reader.next(); packet; packet = await reader.next()) {
    const played = clock.of(packet);
    if (!played) continue;
    const { pts, duration } = played;
    const gap = pts > (row.at(-1)?.end ?? pts);
    if (pts >= start) return gap ? pts : (row.slice(-settle)[0]?.pts ?? pts);
    const samples = reader.stream.codecpar.frameSize || duration;
    const end = pts + Math.min(samples, duration);
    if (gap) row = [];
    row.push({ pts, end });
    if (end > start) return row.slice(-1 - settle)[0]?.pts ?? pts;
  }
  return Number.NEGATIVE_INFINITY;
}
