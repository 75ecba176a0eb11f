import { AV_PKT_FLAG_DISCARD } from 'node-av/constants';
import type { Packet, Stream } from 'node-av/lib';
import type { SpliceRequest, TrimRequest } from '../../../../model/splice.ts';
import { Reader } from '../read/reader.ts';

type Trim = Pick<NonNullable<SpliceRequest['audio']>, 'start' | 'end' | 'settle'>;

/** Seconds before the first needed sample at which reading begins. */
const LEAD = 0.3;

/** The packets of one stream that hold the wanted samples, retimed for the output. */
export class Sound {
  #reader: Reader;
  #trim: Trim;
  #next: Packet | null = null;
  #ended = false;

  private constructor(reader: Reader, trim: Trim) {
    this.#reader = reader;
    this.#trim = trim;
  }

  static async open(input: TrimRequest['input'], trim: Trim): Promise<Sound> {
    const reader = await Reader.open(input);
    const { num, den } = reader.stream.timeBase;
    await reader.seek(Math.floor(trim.start - (LEAD * den) / num));
    return new Sound(reader, trim);
  }

  get stream(): Stream {
    return this.#reader.stream;
  }

  /** The next packet if it is decoded before this second of the output. Call `taken` once it is written. */
  async before(seconds: number): Promise<Packet | null> {
    if (!this.#next && !this.#ended) await this.#advance();
    const { num, den } = this.stream.timeBase;
    return this.#next && (Number(this.#next.dts) * num) / den < seconds ? this.#next : null;
  }

  taken(): void {
    this.#next = null;
  }

  async close(): Promise<void> {
    await this.#reader.close();
  }

  async #advance(): Promise<void> {
    const { start, end, settle } = this.#trim;
    for (;;) {
      const packet = await this.#reader.next();
      const pts = Number(packet?.pts);
      if (!packet || pts >= end) {
        this.#ended = true;
        return;
      }
      const duration = Number(packet.duration);
      if (pts + duration * (1 + settle) <= start) continue;
      packet.pts = packet.dts = BigInt(pts - start);
      packet.duration = BigInt(Math.min(duration, end - pts));
      packet.clearFlags(AV_PKT_FLAG_DISCARD);
      packet.freeSideData();
      this.#next = packet;
      return;
    }
  }
}
