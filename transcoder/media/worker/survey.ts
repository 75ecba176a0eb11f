import { AV_PKT_FLAG_DISCARD, AVSEEK_FLAG_BACKWARD } from 'node-av/constants';
import type { FormatContext } from 'node-av/lib';
import { type Avcc, parseAvcc } from '../bitstream/avcc.ts';
import { changesSets, isIdr, spliceOf, type Unfit } from '../bitstream/h264-splice.ts';
import { splitLengths } from '../bitstream/nal.ts';
import { eachPacket, openInput, streamOf } from './av.ts';
import type { Surveyed, SurveyRequest } from './protocol.ts';

/** Packets that may lie between a keyframe's decoding time and its presentation time. */
const REORDER = 16;

/** Lists the packets around a range and says whether frames of ours can stand between them. */
export async function survey({ source, stream: index, from, to }: SurveyRequest): Promise<Surveyed> {
  const input = await openInput(source, [index], { stream: index, tick: from });
  try {
    const { codecpar } = streamOf(input, index);
    const avcc = configurationOf(codecpar.extradata, codecpar.codecTagString);
    if ('unfit' in avcc) return { packets: [], unfit: avcc.unfit };
    const splice = spliceOf(avcc);
    if ('unfit' in splice) return { packets: [], unfit: splice.unfit };
    return await listed(input, { index, from, to }, avcc);
  } finally {
    await input.closeInput();
  }
}

function configurationOf(extradata: Uint8Array | null, tag: string | null): Avcc | { unfit: Unfit } {
  if (tag !== 'avc1') return { unfit: 'parameter_sets_in_band' };
  try {
    return parseAvcc(extradata ?? new Uint8Array());
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { unfit: 'parameter_sets_unreadable' };
  }
}

async function listed(
  input: FormatContext,
  { index, from, to }: { index: number; from: number; to: number },
  avcc: Avcc,
): Promise<Surveyed> {
  await input.seekFrame(index, BigInt(from), AVSEEK_FLAG_BACKWARD);
  const packets: Surveyed['packets'] = [];
  let unfit: Unfit | null = null;
  let beyond = 0;
  await eachPacket(input, (packet) => {
    if (packet.streamIndex !== index) return;
    const key = packet.isKeyframe;
    const nals = key ? splitLengths(packet.data ?? new Uint8Array(), avcc.lengthSize) : [];
    if (changesSets(nals, avcc)) unfit = 'parameter_sets_change';
    const [pts, dts, duration] = [Number(packet.pts), Number(packet.dts), Number(packet.duration)];
    if (!Number.isSafeInteger(pts) || !Number.isSafeInteger(dts)) unfit = 'timestamps_missing';
    if (unfit) return 'end';
    packets.push({ pts, dts, duration, key, idr: isIdr(nals), hidden: packet.hasFlags(AV_PKT_FLAG_DISCARD) });
    if (dts >= to) beyond += 1;
    return beyond > REORDER ? 'end' : undefined;
  });
  return unfit ? { packets: [], unfit } : { packets, unfit };
}
