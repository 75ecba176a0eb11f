/** Reads bits, most significant first; reading past the end throws a RangeError. */
export class BitReader {
  #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** Current position in bits. */
  get position(): number {
    return this.#at;
  }

  bit(): number {
    const byte = this.#bytes[this.#at >> 3];
    if (byte === undefined) throw new RangeError('the bitstream ends early');
    const value = (byte >> (7 - (this.#at & 7))) & 1;
    this.#at += 1;
    return value;
  }

  flag(): boolean {
    return this.bit() === 1;
  }

  /** An unsigned integer of up to 32 bits. */
  bits(count: number): number {
    let value = 0;
    for (let index = 0; index < count; index++) value = value * 2 + this.bit();
    return value;
  }

  /** ue(v). */
  unsigned(): number {
    let zeros = 0;
    while (this.bit() === 0) {
      zeros += 1;
      if (zeros > 32) throw new RangeError('an Exp-Golomb code is too long');
    }
    return 2 ** zeros - 1 + this.bits(zeros);
  }

  /** se(v). */
  signed(): number {
    const code = this.unsigned();
    return code % 2 === 1 ? (code + 1) / 2 : 0 - code / 2;
  }
}

/** Writes bits, most significant first. */
export class BitWriter {
  #bytes: Uint8Array;
  #at = 0;

  /** @param capacity Initial capacity in bytes; grows as needed. */
  constructor(capacity = 64) {
    this.#bytes = new Uint8Array(capacity);
  }

  /** Number of bits written. */
  get position(): number {
    return this.#at;
  }

  bit(value: number): void {
    this.#reserve(1);
    const index = this.#at >> 3;
    this.#bytes[index] = (this.#bytes[index] ?? 0) | ((value & 1) << (7 - (this.#at & 7)));
    this.#at += 1;
  }

  bits(value: number, count: number): void {
    for (let index = count - 1; index >= 0; index--) this.bit(Math.floor(value / 2 ** index) % 2);
  }

  flag(value: boolean): void {
    this.bit(value ? 1 : 0);
  }

  /** ue(v). */
  unsigned(value: number): void {
    const length = Math.floor(Math.log2(value + 1));
    this.bits(0, length);
    this.bits(value + 1, length + 1);
  }

  /** Pads to a byte boundary with this bit. */
  align(value: 0 | 1): void {
    while (this.#at % 8 !== 0) this.bit(value);
  }

  /** Copies bits `from` up to `to` of `source`, regardless of the alignment of either side. */
  append(source: Uint8Array, from: number, to: number): void {
    let at = from;
    const next = () => {
      const value = ((source[at >> 3] ?? 0) >> (7 - (at & 7))) & 1;
      at += 1;
      return value;
    };
    while (at < to && this.#at % 8 !== 0) this.bit(next());
    const whole = (to - at) >> 3;
    this.#reserve(whole * 8);
    const offset = at & 7;
    const [start, target] = [at >> 3, this.#at >> 3];
    if (offset === 0) this.#bytes.set(source.subarray(start, start + whole), target);
    else {
      for (let index = 0; index < whole; index++) {
        const [high = 0, low = 0] = [source[start + index], source[start + index + 1]];
        this.#bytes[target + index] = ((high << offset) | (low >> (8 - offset))) & 0xff;
      }
    }
    at += whole * 8;
    this.#at += whole * 8;
    while (at < to) this.bit(next());
  }

  /** The bytes written so far, the last one padded with zeros. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, Math.ceil(this.#at / 8));
  }

  #reserve(bits: number): void {
    const needed = Math.ceil((this.#at + bits) / 8);
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

/** Position of the stop bit that ends an RBSP's payload. Throws RangeError if there is none. */
export function stopBit(rbsp: Uint8Array): number {
  for (let index = rbsp.length - 1; index >= 0; index--) {
    const byte = rbsp[index] ?? 0;
    if (byte !== 0) return index * 8 + 7 - Math.log2(byte & -byte);
  }
  throw new RangeError('a NAL unit has no stop bit');
}
