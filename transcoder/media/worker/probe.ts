import {
  AV_FRAME_DATA_CONTENT_LIGHT_LEVEL,
  AV_FRAME_DATA_MASTERING_DISPLAY_METADATA,
  AV_PKT_DATA_CONTENT_LIGHT_LEVEL,
  AV_PKT_DATA_MASTERING_DISPLAY_METADATA,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_SMPTE2084,
  AVDISCARD_ALL,
  AVDISCARD_DEFAULT,
} from 'node-av/constants';
import { type FormatContext, type Frame, Packet, type Stream } from 'node-av/lib';
import { Decoder, openInput, readPacket, Unreadable } from './av.ts';
import { printedFormat, printedStream } from './printed.ts';
import type { Printed, ProbeRequest } from './protocol.ts';
import { contentLight, masteringDisplay } from './side-data.ts';

/** Container and streams as ffprobe prints them; with those of HDR what their first frame says of it. */
export async function probe({ source }: ProbeRequest): Promise<Printed | null> {
  let input: FormatContext;
  try {
    input = await openInput(source, []);
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
  try {
    const streams: Printed['streams'] = [];
    for (const stream of input.streams) {
      const first = lacksMastering(stream) ? await ofFirstFrame(input, stream) : [];
      streams.push(printedStream(stream, first));
    }
    return { format: printedFormat(input), streams };
  } finally {
    await input.closeInput();
  }
}

function lacksMastering({ codecpar }: Stream): boolean {
  const hdr = codecpar.colorTrc === AVCOL_TRC_SMPTE2084 || codecpar.colorTrc === AVCOL_TRC_ARIB_STD_B67;
  const kinds = [AV_PKT_DATA_MASTERING_DISPLAY_METADATA, AV_PKT_DATA_CONTENT_LIGHT_LEVEL];
  return hdr && kinds.every((kind) => codecpar.getCodedSideData(kind) === null);
}

async function ofFirstFrame(input: FormatContext, stream: Stream): Promise<Record<string, unknown>[]> {
  stream.discard = AVDISCARD_DEFAULT;
  const decoder = await Decoder.open(stream);
  let found: Record<string, unknown>[] | null = null;
  const take = async (frame: Frame) => {
    found ??= sideDataOf(frame);
  };
  const packet = new Packet();
  packet.alloc();
  while (!found && (await readPacket(input, packet))) {
    if (packet.streamIndex === stream.index) await decoder.send(packet, take);
    packet.unref();
  }
  packet.free();
  if (!found) await decoder.send(null, take);
  decoder.close();
  stream.discard = AVDISCARD_ALL;
  return found ?? [];
}

function sideDataOf(frame: Frame): Record<string, unknown>[] {
  const [display, light] = [
    frame.getSideData(AV_FRAME_DATA_MASTERING_DISPLAY_METADATA),
    frame.getSideData(AV_FRAME_DATA_CONTENT_LIGHT_LEVEL),
  ];
  return [...(display ? [masteringDisplay(display)] : []), ...(light ? [contentLight(light)] : [])];
}
