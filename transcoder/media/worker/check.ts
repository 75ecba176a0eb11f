import type { Packet } from 'node-av/lib';
import { Decoder, eachPacket, openFile, streamOf } from './av.ts';
import type { CutRequest, Done } from './protocol.ts';

/**
 * Proves a cut by its own packets: as many frames as planned, decoding times that rise and are never later than the
 * presentation, no stream longer than the range, and the first frame and two on either side of every junction decode.
 */
export async function check(request: CutRequest): Promise<Done> {
  const { audio } = request;
  const input = await openFile({ path: request.file, format: 'mov' }, audio ? [0, 1] : [0]);
  try {
    if (audio && Number(streamOf(input, 1).duration) > audio.end - audio.start + 1) {
      throw new Error('the sound reaches beyond the range');
    }
    const decoder = await Decoder.open(streamOf(input, 0));
    const { wanted, windows, packets } = windowsOf(request);
    const missing = new Set(wanted);
    const latest = new Map<number, number>();
    let frames = 0;
    await eachPacket(input, (packet) => {
      checkTimes(packet, latest);
      if (packet.streamIndex !== 0) return;
      const index = frames++;
      if (!windows.some(([from, to]) => index >= from && index <= to)) return;
      decoder.spare(!wanted.has(Number(packet.pts)));
      decoder.send(packet, (frame) => missing.delete(Number(frame.pts)));
    });
    decoder.send(null, (frame) => missing.delete(Number(frame.pts)));
    decoder.close();
    if (frames !== packets) throw new Error(`the file has ${frames} frames, not ${packets}`);
    if (missing.size > 0) throw new Error(`the frames at ${[...missing].join(', ')} do not decode`);
    return { frames };
  } finally {
    await input.closeInput();
  }
}

function checkTimes(packet: Packet, latest: Map<number, number>): void {
  const [pts, dts] = [Number(packet.pts), Number(packet.dts)];
  const before = latest.get(packet.streamIndex);
  if (before !== undefined && dts <= before) throw new Error('decoding times do not rise');
  if (pts < dts) throw new Error('a packet is shown before it is decoded');
  latest.set(packet.streamIndex, dts);
}

/** Frames that have to decode, and the spans of packets, counted in decoding order, that are read for them. */
function windowsOf({ video }: CutRequest) {
  const { head, copy, tail, zero } = video;
  const order = [...(head?.frames ?? []), ...copy.frames, ...(tail?.frames ?? [])];
  const shown = copy.frames.toSorted((a, b) => a - b);
  const lastGroup = copy.frames.slice(copy.lastIdr).toSorted((a, b) => a - b);
  const first = [...(head ? [head.frames[0] ?? 0, ...head.frames.slice(-2)] : []), ...shown.slice(0, 2)];
  const last = tail ? [...lastGroup.slice(-2), ...tail.frames.slice(0, 2)] : [];
  const upTo = (frames: readonly number[]) => Math.max(...frames.map((pts) => order.indexOf(pts)));
  const windows: [number, number][] = [[0, upTo(first)]];
  if (tail) windows.push([(head?.frames.length ?? 0) + copy.lastIdr, upTo(last)]);
  return {
    wanted: new Set([...first, ...last].map((pts) => pts - zero)),
    windows,
    packets: order.length,
  };
}
