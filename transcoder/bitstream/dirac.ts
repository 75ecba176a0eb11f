/** SMPTE ST 2042-1, 10.5: a prefix, a code of what follows, and the distances to the next and the previous such header. */
const PREFIX = 0x42_42_43_44;
const HEADER = 13;
const [CODE, NEXT] = [4, 5];
/** Set in the codes of pictures (Table 10.1). */
const PICTURE = 0x08;

/** Whether a packet of Dirac or VC-2 holds no picture, as the end of a sequence, which has a packet of its own in transport streams. */
export function isDiracUnseen(data: Buffer): boolean {
  for (let at = 0; at + HEADER <= data.length; ) {
    if (data.readUInt32BE(at) !== PREFIX || ((data[at + CODE] ?? 0) & PICTURE) !== 0) return false;
    const next = data.readUInt32BE(at + NEXT);
    if (next === 0) break;
    at += next;
  }
  return data.length >= HEADER;
}
