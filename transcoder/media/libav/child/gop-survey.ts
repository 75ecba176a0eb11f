import { AV_PKT_FLAG_DISCARD } from 'node-av/constants';
import { type Coded, pictureIn } from '../../../bitstream/codec.ts';
import { codecs } from '../../../bitstream/codecs.ts';
import { type Picture, quantiserOf } from '../../../bitstream/quantiser.ts';
import type { SurveySent, Unfit } from '../../../model/splice.ts';
import { columnsOf, type SurveyedPacket } from '../../../model/surveyed-packets.ts';
import type { SurveyRequest } from '../protocol.ts';
import { configurationOf, holdsDecodingTimes } from './av.ts';
import { Reader } from './read/reader.ts';
import { Recovery } from './recovery-points.ts';

/** Largest distance in packets between a keyframe's decoding time and its presentation time. */
const REORDER = 16;

/** Lists the packets around the ranges, and checks whether re-encoded frames can be spliced between them. */
export async function survey({ source, codec, stream, ranges }: SurveyRequest): Promise<SurveySent> {
  const reader = await Reader.open({ source, stream });
  try {
    const described = configurationOf(reader.stream);
    const coded = codecs[codec].coded(described);
    if ('unfit' in coded) return nothing(coded.unfit);
    const parts: SurveySent['parts'] = [];
    const keys: Picture[] = [];
    for (const range of ranges) {
      const packets = await listed(reader, range, {
        coded,
        keys,
        ordered: holdsDecodingTimes(source.format),
      });
      if (typeof packets === 'string') return nothing(packets);
      parts.push(columnsOf(packets));
    }
    const configuration = Buffer.from(described.extradata).toString('base64');
    const quantiser = coded.scale && quantiserOf(keys, coded.scale);
    return { parts, configuration, fitting: coded.fitting, quantiser, unfit: null };
  } finally {
    await reader.close();
  }
}

const nothing = (unfit: Unfit): SurveySent => ({
  ...{ parts: [], configuration: '', fitting: null, quantiser: null, unfit },
});

/** @param keys Receives the keyframes' pictures. */
async function listed(
  reader: Reader,
  [from, to]: SurveyRequest['ranges'][number],
  { coded, keys, ordered }: { coded: Coded; keys: Picture[]; ordered: boolean },
): Promise<SurveyedPacket[] | Unfit> {
  await reader.seek(from);
  const recovery = new Recovery(reader.stream);
  const packets: SurveyedPacket[] = [];
  for (let beyond = 0; beyond <= REORDER; ) {
    const packet = await reader.next();
    if (!packet) break;
    const { isKeyframe } = packet;
    const data = isKeyframe ? (packet.data ?? new Uint8Array()) : new Uint8Array();
    const unfit = isKeyframe ? coded.misfit(data) : null;
    if (unfit) return unfit;
    const picture = isKeyframe ? pictureIn(data, coded) : null;
    if (picture) keys.push(picture);
    const [pts, duration] = [Number(packet.pts), Number(packet.duration)];
    const dts = ordered ? Number(packet.dts) : pts;
    if (!Number.isSafeInteger(pts) || !Number.isSafeInteger(dts)) return 'timestamps_missing';
    const entry = isKeyframe ? coded.entry(data) : null;
    const key = recovery.follow(packet, pts)?.right === pts;
    packets.push({ pts, dts, duration, key, entry, hidden: packet.hasFlags(AV_PKT_FLAG_DISCARD) });
    if (dts >= to) beyond += 1;
  }
  return packets;
}
