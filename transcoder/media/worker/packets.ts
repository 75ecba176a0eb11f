import type { PacketList, PacketsRequest } from './protocol.ts';
import { Stretch, Tape } from './stretch.ts';

/** Lists the packets of a stream, for each interval from the keyframe before it until nothing of it can follow. */
export async function packets({ source, stream, intervals, slack }: PacketsRequest): Promise<PacketList> {
  const tape = await Tape.ofTimes({ source, stream });
  const list: PacketList = { pts: [], dts: [], duration: [], key: [] };
  try {
    for (const [from, to] of intervals) {
      const stretch = await Stretch.from(tape, from, slack);
      await stretch.reach(to ?? Number.POSITIVE_INFINITY);
      for (const { pts, dts, duration, key, hidden } of stretch.packets) {
        if (hidden) continue;
        list.pts.push(pts);
        list.dts.push(dts);
        list.duration.push(duration);
        list.key.push(key);
      }
    }
    return list;
  } finally {
    await tape.close();
  }
}
