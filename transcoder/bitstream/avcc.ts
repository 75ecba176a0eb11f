/** The H.264 decoder configuration in mp4 and Matroska (ISO 14496-15, 5.3.3.1). */
export interface Avcc {
  profile: number;
  compatibility: number;
  level: number;
  /** Size of the length prefix of each NAL unit in bytes: 1, 2 or 4. */
  lengthSize: number;
  sps: Uint8Array[];
  pps: Uint8Array[];
  /** Raw bytes of the extension for the High profiles. */
  extension: Uint8Array;
}

/** Throws RangeError if it is damaged or not an avcC. */
export function parseAvcc(bytes: Uint8Array): Avcc {
  const [version, profile = 0, compatibility = 0, level = 0, lengths = 0, counted = 0] = bytes;
  if (version !== 1 || bytes.length < 7) throw new RangeError('not a version 1 avcC');
  let at = 6;
  const take = (count: number) =>
    Array.from({ length: count }, () => {
      const length = (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
      const from = at + 2;
      at = from + length;
      if (length === 0 || at > bytes.length) throw new RangeError('a parameter set is truncated');
      return bytes.slice(from, at);
    });
  const sps = take(counted & 31);
  const count = bytes[at] ?? 0;
  at += 1;
  const pps = take(count);
  const lengthSize = (lengths & 3) + 1;
  return { profile, compatibility, level, lengthSize, sps, pps, extension: bytes.slice(at) };
}

export function buildAvcc(avcc: Avcc): Uint8Array {
  const sets = (nals: readonly Uint8Array[]) =>
    nals.flatMap((nal) => [nal.length >> 8, nal.length & 0xff, ...nal]);
  return Uint8Array.from([
    ...[1, avcc.profile, avcc.compatibility, avcc.level, 0xfc | (avcc.lengthSize - 1)],
    ...[0xe0 | avcc.sps.length, ...sets(avcc.sps)],
    ...[avcc.pps.length, ...sets(avcc.pps)],
    ...avcc.extension,
  ]);
}
