import { AV_CODEC_ID_AC3, AV_CODEC_ID_MP3 } from 'node-av/constants';
import type { IRational, Packet, Stream } from 'node-av/lib';
import type { Reader } from './read/reader.ts';

/** Samples of a packet, as the formats prescribe; libav does not always state them: ISO/IEC 14496-3, ETSI TS 102 366 section 4.1, ISO/IEC 11172-3. */
export function samplesIn({ codecpar: { codecId, frameSize, sampleRate } }: Stream): number {
  if (codecId === AV_CODEC_ID_AC3) return 1536;
  if (frameSize > 0) return frameSize;
  if (codecId === AV_CODEC_ID_MP3) return sampleRate < 32_000 ? 576 : 1152;
  return 1024;
}

/** Packets whose times tell where the first sample is. */
const FIRST = 16;

/** The times of packets differ from their samples by this at most: containers such as Matroska round to milliseconds. Seconds. */
const ROUNDED = 0.0015;

/** When a packet is played. */
export interface Played {
  pts: number;
  duration: number;
}

/** Tells the times of a sound's packets, which are read in order. */
export interface Clock {
  readonly timeBase: IRational;
  /** Called before reading begins again at the same packet. */
  restart(): void;
  /** Null for a packet that is left out, because what was played before goes on through most of it. */
  of(packet: Packet): Played | null;
}

/** The times as the container states them. */
export class StatedClock implements Clock {
  readonly timeBase: IRational;

  constructor(timeBase: IRational) {
    this.timeBase = timeBase;
  }

  restart(): void {}

  of({ pts, duration }: Packet): Played {
    return { pts: Number(pts), duration: Number(duration) };
  }
}

/**
 * Counts samples where the container rounds times: packets follow one another unless their times say otherwise, and all have the same
 * number of samples. The first one is placed by the average of the first packets.
 */
export class SampleClock implements Clock {
  readonly timeBase: IRational;
  readonly #first: number;
  readonly #samples: number;
  readonly #ofTick: number;
  #next: number | null = null;

  private constructor(
    rate: number,
    { first, samples, ofTick }: { first: number; samples: number; ofTick: number },
  ) {
    this.timeBase = { num: 1, den: rate };
    this.#first = first;
    this.#samples = samples;
    this.#ofTick = ofTick;
  }

  /** Reads some packets from here on. @param rate Samples per second. */
  static async of(reader: Reader, rate: number): Promise<SampleClock> {
    const samples = samplesIn(reader.stream);
    const { num, den } = reader.timeBase;
    const ofTick = (rate * num) / den;
    const starts: number[] = [];
    for (let packet = await reader.next(); packet && starts.length < FIRST; packet = await reader.next()) {
      const start = Number(packet.pts) * ofTick - starts.length * samples;
      if (Math.abs(start - (starts[0] ?? start)) > 2 * ROUNDED * rate) break;
      starts.push(start);
    }
    const sum = starts.reduce((all, start) => all + start, 0);
    return new SampleClock(rate, { first: Math.round(sum / Math.max(1, starts.length)), samples, ofTick });
  }

  restart(): void {
    this.#next = null;
  }

  of({ pts }: Packet): Played | null {
    const stated = Number(pts) * this.#ofTick;
    const counted = this.#next ?? this.#first;
    if (stated < counted - this.#samples / 2) return null;
    const apart = Math.abs(stated - counted) > ROUNDED * this.timeBase.den;
    const start = apart ? Math.round(stated) : counted;
    this.#next = start + this.#samples;
    return { pts: start, duration: this.#samples };
  }
}
