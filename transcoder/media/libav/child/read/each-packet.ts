import { type FormatContext, Packet, type Stream } from 'node-av/lib';
import { streamOf } from '../av.ts';
import { readPacket } from './input.ts';

/** Packets between two turns of the event loop, which lets messages out. */
const TURN = 512;

/** Reads the packets of all streams that are not discarded. @param take Returns whether to go on. */
export async function eachPacket(
  input: FormatContext,
  take: (packet: Packet, stream: Stream) => boolean | Promise<boolean>,
): Promise<void> {
  const packet = new Packet();
  packet.alloc();
  try {
    for (let count = 1; ; count++) {
      if (count % TURN === 0) await new Promise(setImmediate);
      const read = readPacket(input, packet);
      if (!(read instanceof Promise ? await read : read)) return;
      const goesOn = await take(packet, streamOf(input, packet.streamIndex));
      packet.unref();
      if (!goesOn) return;
    }
  } finally {
    packet.free();
  }
}
