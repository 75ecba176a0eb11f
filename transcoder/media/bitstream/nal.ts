/** Payload of a NAL unit without the bytes that keep start codes from appearing in it (H.264 7.4.1.1). */
export function removeEmulation(nal: Uint8Array): Uint8Array {
  const made = new Uint8Array(nal.length);
  let length = 0;
  let zeros = 0;
  for (const byte of nal) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    made[length++] = byte;
  }
  return made.subarray(0, length);
}

/** The reverse of `removeEmulation`. */
export function addEmulation(payload: Uint8Array): Uint8Array {
  const made = new Uint8Array(payload.length + Math.ceil(payload.length / 2) + 1);
  let length = 0;
  let zeros = 0;
  for (const byte of payload) {
    if (zeros >= 2 && byte <= 3) {
      made[length++] = 3;
      zeros = 0;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    made[length++] = byte;
  }
  if (zeros >= 2) made[length++] = 3;
  return made.subarray(0, length);
}

/** NAL units of an access unit in which each is preceded by its length. Throws RangeError where lengths do not add up. */
export function splitLengths(unit: Uint8Array, lengthSize: number): Uint8Array[] {
  const nals: Uint8Array[] = [];
  let at = 0;
  while (at < unit.length) {
    let length = 0;
    for (let index = 0; index < lengthSize; index++) length = length * 256 + (unit[at + index] ?? 0);
    at += lengthSize;
    if (length === 0 || at + length > unit.length)
      throw new RangeError('a NAL unit reaches beyond its packet');
    nals.push(unit.subarray(at, at + length));
    at += length;
  }
  return nals;
}

export function joinLengths(nals: readonly Uint8Array[], lengthSize: number): Uint8Array {
  const made = new Uint8Array(nals.reduce((sum, nal) => sum + lengthSize + nal.length, 0));
  let at = 0;
  for (const nal of nals) {
    if (nal.length >= 256 ** lengthSize) throw new RangeError('a NAL unit is longer than its length can say');
    for (let index = 0; index < lengthSize; index++) {
      made[at + index] = Math.floor(nal.length / 256 ** (lengthSize - 1 - index)) % 256;
    }
    made.set(nal, at + lengthSize);
    at += lengthSize + nal.length;
  }
  return made;
}

/** NAL units between start codes (H.264 Annex B), without the zeros that may follow them. */
export function splitStartCodes(stream: Uint8Array): Uint8Array[] {
  const nals: Uint8Array[] = [];
  let from = -1;
  const close = (to: number) => {
    if (from < 0) return;
    let end = to;
    while (end > from && stream[end - 1] === 0) end -= 1;
    if (end > from) nals.push(stream.subarray(from, end));
  };
  for (let at = 0; at + 2 < stream.length; at++) {
    if (stream[at] !== 0 || stream[at + 1] !== 0 || stream[at + 2] !== 1) continue;
    close(at);
    from = at + 3;
    at += 2;
  }
  close(stream.length);
  return nals;
}
