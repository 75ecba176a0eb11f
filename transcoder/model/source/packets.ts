/** A packet of a video stream. Times in seconds. */
export interface Packet {
  pts: number;
  dts: number | null;
  duration: number | null;
  key: boolean;
}

/** Packets of a video stream in decoding order, in columns: a film has too many of them for a list of objects. Times in seconds. */
export class Packets {
  readonly pts: Float64Array;
  /** 0 if unknown. */
  readonly durations: Float64Array;
  /** 1 for a keyframe. */
  readonly keys: Uint8Array;
  #shown: Float64Array | null = null;

  constructor(length: number) {
    this.pts = new Float64Array(length);
    this.durations = new Float64Array(length);
    this.keys = new Uint8Array(length);
  }

  static of(packets: readonly Packet[]): Packets {
    const made = new Packets(packets.length);
    for (const [index, { pts, duration, key }] of packets.entries()) {
      made.pts[index] = pts;
      made.durations[index] = duration ?? 0;
      made.keys[index] = key ? 1 : 0;
    }
    return made;
  }

  get length(): number {
    return this.pts.length;
  }

  /** Presentation times in their order. */
  get shown(): Float64Array {
    this.#shown ??= this.pts.toSorted();
    return this.#shown;
  }
}
