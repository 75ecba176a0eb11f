/** Bits of a number's magnitude in its first byte, which also holds its sign, and in each of the others. */
const [FIRST, NEXT] = [2 ** 6, 2 ** 7];
/** Set in every byte of a number but the last. */
const MORE = 0x80;
/** Of a number: a safe integer has 53 bits. */
const MOST_BYTES = 8;

/**
 * Times in ticks: eight bytes each in memory, about two in JSON. A film has too many packets for a list of numbers, which takes several
 * times as much while it is sent to another process and checked.
 */
export class Ticks extends Float64Array {
  /** The same memory, from one index up to another. */
  part(from: number, to: number): Ticks {
    return new Ticks(this.buffer, this.byteOffset + from * this.BYTES_PER_ELEMENT, Math.max(0, to - from));
  }

  /** Base64 of the differences between neighbours. Throws RangeError for ticks too far apart to be subtracted. */
  toJSON(): string {
    const bytes = Buffer.allocUnsafe(this.length * MOST_BYTES);
    let [at, before] = [0, 0];
    for (const tick of this) {
      const difference = tick - before;
      if (!Number.isSafeInteger(difference)) throw new RangeError('two times are too far apart');
      const magnitude = Math.abs(difference);
      let rest = Math.floor(magnitude / FIRST);
      bytes[at++] = (rest > 0 ? MORE : 0) + (difference < 0 ? FIRST : 0) + (magnitude % FIRST);
      for (; rest > 0; rest = Math.floor(rest / NEXT))
        bytes[at++] = (rest >= NEXT ? MORE : 0) + (rest % NEXT);
      before = tick;
    }
    return bytes.toString('base64', 0, at);
  }
}

/** What `toJSON` wrote; null for anything else. */
export function ticksIn(text: string): Ticks | null {
  const bytes = Buffer.from(text, 'base64');
  const ticks = new Ticks(bytes.reduce((count, byte) => count + (byte < MORE ? 1 : 0), 0));
  let [index, tick] = [0, 0];
  for (let at = 0; at < bytes.length; ) {
    let byte = bytes[at++] ?? 0;
    const sign = byte & FIRST ? -1 : 1;
    let magnitude = byte % FIRST;
    for (let scale = FIRST; byte >= MORE; scale *= NEXT) {
      const next = bytes[at++];
      if (next === undefined || scale > Number.MAX_SAFE_INTEGER) return null;
      byte = next;
      magnitude += (byte % NEXT) * scale;
    }
    tick += sign * magnitude;
    if (!Number.isSafeInteger(tick)) return null;
    ticks[index++] = tick;
  }
  return ticks;
}
