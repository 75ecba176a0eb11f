import { DistinctTicks } from '../../../model/numbers/distinct-ticks.ts';
import type { PacketList, PacketsRequest } from '../protocol.ts';
import { Stretch, Tape } from './read/packet-window.ts';

/** Lists packets of a stream: for each interval, from the preceding keyframe until no packet of the interval can follow. */
export async function packets(request: PacketsRequest): Promise<PacketList> {
  const { source, stream, intervals, slack, parsed } = request;
  const tape = await (parsed ? Tape.open : Tape.ofTimes)({ source, stream });
  const { num, den } = tape.reader.timeBase;
  const list: PacketList = {
    pts: [],
    dts: [],
    duration: [],
    key: [],
    bytes: [],
    unit: num / den,
    joined: false,
  };
  try {
    for (const [from, to] of intervals) {
      const stretch = await Stretch.from(tape, from, slack);
      await stretch.reach(to ?? Number.POSITIVE_INFINITY);
      list.joined ||= stretch.restarts;
      // Browsers record several frames at one time; none of them is lost when they are rendered.
      const distinct = new DistinctTicks();
      for (const { pts, dts, duration, entry, bytes, hidden } of stretch.packets) {
        if (hidden) continue;
        list.pts.push(distinct.take(pts));
        list.dts.push(dts);
        list.duration.push(duration);
        list.key.push(entry?.right === pts);
        list.bytes.push(bytes);
      }
    }
    return list;
  } finally {
    await tape.close();
  }
}
