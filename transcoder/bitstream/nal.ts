/** Patterns for Buffer's native search: frames take a hundred kilobytes, and each is searched several times. */
const ZEROS = Uint8Array.of(0, 0);
const ESCAPED = Uint8Array.of(0, 0, 3);
const START = Uint8Array.of(0, 0, 1);

const viewOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

/** Payload of a NAL unit without emulation prevention bytes (H.264 7.4.1.1). */
export function removeEmulation(nal: Uint8Array): Uint8Array {
  const view = viewOf(nal);
  const made = new Uint8Array(nal.length);
  let [length, from] = [0, 0];
  const take = (to: number) => {
    made.set(nal.subarray(from, to), length);
    length += to - from;
  };
  for (let at = view.indexOf(ESCAPED); at >= 0; at = view.indexOf(ESCAPED, from)) {
    take(at + 2);
    from = at + 3;
  }
  take(nal.length);
  return made.subarray(0, length);
}

/** The reverse of `removeEmulation`. */
export function addEmulation(payload: Uint8Array): Uint8Array {
  const view = viewOf(payload);
  const places: number[] = [];
  for (let at = view.indexOf(ZEROS); at >= 0; at = view.indexOf(ZEROS, at)) {
    at += 2;
    if ((payload[at] ?? 0) <= 3) places.push(at);
  }
  const made = new Uint8Array(payload.length + places.length);
  let from = 0;
  for (const [count, place] of places.entries()) {
    made.set(payload.subarray(from, place), from + count);
    made[place + count] = 3;
    from = place;
  }
  made.set(payload.subarray(from), from + places.length);
  return made;
}

/** Splits an access unit with length prefixes into NAL units. Throws RangeError if the lengths do not add up. */
export function splitLengths(unit: Uint8Array, lengthSize: number): Uint8Array[] {
  const nals: Uint8Array[] = [];
  let at = 0;
  while (at < unit.length) {
    let length = 0;
    for (let index = 0; index < lengthSize; index++) length = length * 256 + (unit[at + index] ?? 0);
    at += lengthSize;
    if (length === 0 || at + length > unit.length)
      throw new RangeError('a NAL unit extends beyond its packet');
    nals.push(unit.subarray(at, at + length));
    at += length;
  }
  return nals;
}

export function joinLengths(nals: readonly Uint8Array[], lengthSize: number): Uint8Array {
  const made = new Uint8Array(nals.reduce((sum, nal) => sum + lengthSize + nal.length, 0));
  let at = 0;
  for (const nal of nals) {
    if (nal.length >= 256 ** lengthSize) throw new RangeError('a NAL unit is too long for its length prefix');
    for (let index = 0; index < lengthSize; index++) {
      made[at + index] = Math.floor(nal.length / 256 ** (lengthSize - 1 - index)) % 256;
    }
    made.set(nal, at + lengthSize);
    at += lengthSize + nal.length;
  }
  return made;
}

/** Splits a byte stream at start codes (H.264 Annex B), dropping trailing zeros. */
export function splitStartCodes(stream: Uint8Array): Uint8Array[] {
  const view = viewOf(stream);
  const nals: Uint8Array[] = [];
  let code = view.indexOf(START);
  while (code >= 0) {
    const from = code + START.length;
    code = view.indexOf(START, from);
    let end = code < 0 ? stream.length : code;
    while (end > from && stream[end - 1] === 0) end -= 1;
    if (end > from) nals.push(stream.subarray(from, end));
  }
  return nals;
}
