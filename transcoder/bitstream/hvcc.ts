/** The HEVC decoder configuration in mp4 and Matroska (ISO 14496-15, 8.3.3.1). */
export interface Hvcc {
  profileSpace: number;
  /** 0 Main, 1 High. */
  tier: number;
  profile: number;
  /** 32 flags. */
  compatibility: number;
  /** Six bytes. */
  constraints: Uint8Array;
  level: number;
  /** Raw bytes of the fields before the length size. */
  format: Uint8Array;
  /** Upper six bits of the byte that ends with the length size. */
  layers: number;
  /** Size of the length prefix of each NAL unit in bytes: 1, 2 or 4. */
  lengthSize: number;
  arrays: NalArray[];
}

/** NAL units of one type; `complete` if none of them occur in band. */
export interface NalArray {
  complete: boolean;
  type: number;
  nals: Uint8Array[];
}

const FIXED = 23;

/** Throws RangeError if it is damaged or not an hvcC. */
export function parseHvcc(bytes: Uint8Array): Hvcc {
  if (bytes[0] !== 1 || bytes.length < FIXED) throw new RangeError('not a version 1 hvcC');
  const byte = (at: number) => bytes[at] ?? 0;
  const word = (at: number) => byte(at) * 256 + byte(at + 1);
  let at = FIXED;
  const arrays = Array.from({ length: byte(22) }, () => {
    const [head, count] = [byte(at), word(at + 1)];
    at += 3;
    const nals: Uint8Array[] = [];
    for (let index = 0; index < count; index++) {
      const [from, length] = [at + 2, word(at)];
      at = from + length;
      if (length === 0 || at > bytes.length) throw new RangeError('a parameter set is truncated');
      nals.push(bytes.slice(from, at));
    }
    return { complete: head >> 7 === 1, type: head & 63, nals };
  });
  if (at > bytes.length) throw new RangeError('a parameter set array is truncated');
  return {
    ...{ profileSpace: byte(1) >> 6, tier: (byte(1) >> 5) & 1, profile: byte(1) & 31 },
    compatibility: word(2) * 2 ** 16 + word(4),
    ...{ constraints: bytes.slice(6, 12), level: byte(12), format: bytes.slice(13, 21) },
    ...{ layers: byte(21) >> 2, lengthSize: (byte(21) & 3) + 1, arrays },
  };
}

export function buildHvcc(hvcc: Hvcc): Uint8Array {
  const word = (value: number) => [(value >> 8) & 0xff, value & 0xff];
  return Uint8Array.from([
    ...[1, (hvcc.profileSpace << 6) | (hvcc.tier << 5) | hvcc.profile],
    ...[...word(Math.floor(hvcc.compatibility / 2 ** 16)), ...word(hvcc.compatibility % 2 ** 16)],
    ...[...hvcc.constraints, hvcc.level, ...hvcc.format],
    ...[(hvcc.layers << 2) | (hvcc.lengthSize - 1), hvcc.arrays.length],
    ...hvcc.arrays.flatMap(({ complete, type, nals }) => [
      ...[(complete ? 0x80 : 0) | type, ...word(nals.length)],
      ...nals.flatMap((nal) => [...word(nal.length), ...nal]),
    ]),
  ]);
}
