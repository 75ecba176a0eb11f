import { AV_PKT_FLAG_DISCARD } from 'node-av/constants';
import type { IRational, Packet, Stream } from 'node-av/lib';
import type { SpliceRequest, TrimRequest } from '../../../model/splice.ts';
import { Reader } from './read/reader.ts';

type Trim = Pick<NonNullable<SpliceRequest['audio']>, 'start' | 'end' | 'settle'>;

/** Seconds before the first needed sample at which reading begins. */
const LEAD = 0.3;

/** The packets of a sound that hold the wanted samples, or all packets of a text; retimed for the output. */
export class CopiedTrack {
  #reader: Reader;
  #trim: Trim;
  /** Presentation time of the first packet to copy. */
  #first: number;
  #next: Packet | null = null;
  #ended = false;
  #closing: Promise<void> | null = null;

  private constructor(reader: Reader, trim: Trim, first: number) {
    this.#reader = reader;
    this.#trim = trim;
    this.#first = first;
  }

  static async open(input: TrimRequest['input'], trim: Trim): Promise<CopiedTrack> {
    const reader = await Reader.open(input);
    const { num, den } = reader.timeBase;
    const before = Math.floor(trim.start - (LEAD * den) / num);
    await reader.seek(before);
    const first = await firstPacket(reader, trim);
    await reader.seek(before);
    return new CopiedTrack(reader, trim, first);
  }

  get stream(): Stream {
    return this.#reader.stream;
  }

  get timeBase(): IRational {
    return this.#reader.timeBase;
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
      const pts = Number(packet?.pts);
      if (!packet || pts >= end) {
        this.#ended = true;
        return;
      }
      const duration = Number(packet.duration);
      if (pts < this.#first) continue;
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
async function firstPacket(reader: Reader, { start, settle }: Trim): Promise<number> {
  let row: { pts: number; end: number }[] = [];
  for (let packet = await reader.next(); packet; packet = await reader.next()) {
    const pts = Number(packet.pts);
    const gap = pts > (row.at(-1)?.end ?? pts);
    if (pts >= start) return gap ? pts : (row.slice(-settle)[0]?.pts ?? pts);
    const samples = reader.stream.codecpar.frameSize || Number(packet.duration);
    const end = pts + Math.min(samples, Number(packet.duration));
    if (gap) row = [];
    row.push({ pts, end });
    if (end > start) return row.slice(-1 - settle)[0]?.pts ?? pts;
  }
  return Number.NEGATIVE_INFINITY;
}
