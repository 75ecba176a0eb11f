import { PACKET_BYTES, pidOf, SYNC } from './program-tables.ts';

/** Bytes from packet to packet, as recorders write them. */
const steps: readonly number[] = [PACKET_BYTES, 192, 204];
/** Packets in a row that show where packets begin. */
const IN_A_ROW = 5;
const ADAPTATION = 0x20;
const PCR = 0x10;
const PER_SECOND = 90_000;
/** Seconds after which a clock of 33 bits begins again by itself. */
export const CLOCK_SECONDS = 2 ** 33 / PER_SECOND;

/** The first program clock reference (ISO/IEC 13818-1, 2.4.3.5) of each PID in these bytes, in seconds. */
export function clocksIn(bytes: Buffer): Map<number, number> {
  const clocks = new Map<number, number>();
  const found = firstPacket(bytes);
  if (!found) return clocks;
  const [first, step] = found;
  for (let at = first; at + PACKET_BYTES <= bytes.length; at += step) {
    const packet = bytes.subarray(at, at + PACKET_BYTES);
    const stated = packet[0] === SYNC && ((packet[3] ?? 0) & ADAPTATION) !== 0 && (packet[4] ?? 0) >= 7;
    if (!stated || ((packet[5] ?? 0) & PCR) === 0 || clocks.has(pidOf(packet))) continue;
    clocks.set(pidOf(packet), (packet.readUInt32BE(6) * 2 + ((packet[10] ?? 0) >> 7)) / PER_SECOND);
  }
  return clocks;
}

/** Where packets begin, and the bytes from one to the next. */
function firstPacket(bytes: Buffer): [number, number] | null {
  for (let at = 0; at < PACKET_BYTES + 16; at++) {
    const follows = (step: number) =>
      Array.from({ length: IN_A_ROW }, (_, index) => at + index * step).every((sync) => bytes[sync] === SYNC);
    const step = steps.find(follows);
    if (step !== undefined) return [at, step];
  }
  return null;
}
