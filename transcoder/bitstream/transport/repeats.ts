import { payloadOf, pidOf } from './program-tables.ts';

const COUNTER = 0x0f;
/** Of packets without content, which are all alike. */
const FILLING_PID = 0x1fff;

interface Last {
  count: number;
  payload: Buffer;
  /** Whether it counted on from the packet before it; some multiplexers do not count. */
  counts: boolean;
}

/**
 * Finds packets that are sent twice, as broadcasters may do (ISO/IEC 13818-1, 2.4.3.3): the second one has the same number and content
 * as the one before it on its PID. libav takes its content for more of the stream.
 */
export class Repeats {
  readonly #last = new Map<number, Last>();

  /** Takes the next packet. @returns whether it repeats the one before it on its PID. */
  take(packet: Buffer): boolean {
    const payload = payloadOf(packet);
    const pid = pidOf(packet);
    if (payload.length === 0 || pid === FILLING_PID) return false;
    const count = (packet[3] ?? 0) & COUNTER;
    const before = this.#last.get(pid);
    if (before?.counts && before.count === count && before.payload.equals(payload)) return true;
    this.#last.set(pid, {
      count,
      // Of its own, since the payload is a part of a megabyte.
      payload: Buffer.from(payload),
      counts: before !== undefined && count === ((before.count + 1) & COUNTER),
    });
    return false;
  }
}
